"use client";
import { ChevronRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ChangeEvent, type ReactNode, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { type ApiForm, useApiForm } from "@/components/api-form";
import { pemsIn } from "@/components/operator/pem";
import { changeProvider, connectProvider, PROVIDERS, type Provider } from "@/components/operator/provider-queries";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { CheckOption, Form, Submit, TextAreaField, TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { providerFaults } from "@/lib/providers/errors";
import type { ProviderBodySent } from "@/lib/providers/schema";

type Profile = ProviderBodySent["profile"];

/** Every profile in the order of the form; the type demands all. */
const allProfiles = Object.keys({ standard: 1, efi: 1, inter: 1 } satisfies Record<Profile, 1>) as Profile[];

const needed = ["title", "base_url", "token_url", "client_id", "client_secret", "pix_key", "scope"] as const;
/** What only some PSPs need. */
const rare = ["account_number", "callback_networks", "calls_per_minute"] as const;
const texts = [...needed, ...rare] as const;
const pems = ["certificate", "private_key", "authority"] as const;
/** The fields that are folded, by their paths. */
const folded = ["account.conta", "account.agencia", ...rare, "authority"] as const;

type Values = Record<(typeof texts)[number] | (typeof pems)[number] | "name", string> & {
  profile: Profile;
  account: Account;
  callback_certificate: boolean;
};
type Account = { agencia: string; conta: string; tipoConta: AccountKind };
type AccountKind = NonNullable<Provider["account"]>["tipoConta"];

/** Every kind of account in the order of the form; the type demands all. */
const accountKinds = Object.keys({ PAGAMENTO: 1, CORRENTE: 1, POUPANCA: 1 } satisfies Record<
  AccountKind,
  1
>) as AccountKind[];

/** Connects a PSP and opens its record, on a page of its own: what was typed stays until the PSP is connected. */
export function ConnectProvider() {
  const t = useTranslations("providers");
  const router = useRouter();
  const form = useApiForm({
    schema: () => import("@/lib/providers/schema").then(({ ProviderBody }) => ProviderBody),
    defaultValues: valuesOf(),
    body: (values): ProviderBodySent => ({ ...typedOf(values), name: values.name.trim(), profile: values.profile }),
    send: connectProvider,
    refresh: PROVIDERS,
    done: t("connected"),
    onSuccess: ({ data }) => router.push(`/operator/providers/${data.name}`),
    leaves: true,
    fieldOf: { provider_exists: "name" },
  });
  return (
    <Form form={form} className="max-w-[560px]">
      <TextField
        form={form}
        name="name"
        label={t("fields.name")}
        help={t("fields.nameHelp")}
        fault={t(form.faultOf("name") === "provider_exists" ? "faults.taken" : "faults.name")}
        autoCapitalize="none"
        spellCheck={false}
      />
      <SettingsFields form={form} />
      <Submit form={form} busyText={t("trying")}>
        {t("connectNow")}
      </Submit>
    </Form>
  );
}

/** Changes a PSP. Only what differs is sent, so that a new title alone asks the PSP nothing. */
export function EditProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const t = useTranslations("providers");
  const before = valuesOf(provider);
  const form = useApiForm({
    schema: () => import("@/lib/providers/schema").then(({ ProviderChanges }) => ProviderChanges),
    defaultValues: before,
    body: (values) => {
      const [typed, known] = [
        { ...typedOf(values), profile: values.profile },
        { ...typedOf(before), profile: before.profile },
      ];
      const names = (Object.keys(typed) as (keyof typeof typed)[]).filter(
        (name) => JSON.stringify(typed[name]) !== JSON.stringify(known[name]),
      );
      return Object.fromEntries(names.map((name) => [name, typed[name]])) as Partial<typeof typed>;
    },
    send: (changes) => changeProvider(provider.name, changes),
    refresh: PROVIDERS,
    done: t("saved"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("editTitle", { title: provider.title })}
      description={t("editHelp")}
      action={t("saveNow")}
      onClose={onClose}
    >
      <SettingsFields form={form} isKnown />
    </FormDialog>
  );
}

const valuesOf = (known?: Provider): Values => ({
  ...{ name: known?.name ?? "", title: known?.title ?? "", profile: (known?.profile ?? "standard") as Profile },
  ...{ base_url: known?.base_url ?? "", token_url: known?.token_url ?? "" },
  ...{ client_id: known?.client_id ?? "", client_secret: "", certificate: "", private_key: "" },
  ...{ pix_key: known?.pix_key ?? "", scope: known?.scope ?? "" },
  ...{ authority: "", account: accountOf(known?.account) },
  ...{ account_number: known?.account_number ?? "", callback_networks: known?.callback_networks ?? "" },
  calls_per_minute: known?.calls_per_minute?.toString() ?? "",
  callback_certificate: known?.callback_certificate ?? false,
});

const accountOf = (known: Provider["account"] | undefined): Account => ({
  ...{ agencia: known?.agencia ?? "", conta: known?.conta ?? "", tipoConta: known?.tipoConta ?? "PAGAMENTO" },
});

/** What was typed, as the API takes it: a PEM that is left blank is none. */
const typedOf = (values: Values) => ({
  ...{ title: values.title, base_url: values.base_url.trim(), token_url: values.token_url.trim() },
  ...{ scope: values.scope.trim() || null, client_id: values.client_id.trim() },
  ...{ client_secret: values.client_secret.trim(), pix_key: values.pix_key.trim() },
  ...{ certificate: values.certificate.trim() || null, private_key: values.private_key.trim() || null },
  authority: values.authority.trim() || null,
  account: typedAccount(values.account),
  callback_certificate: values.callback_certificate,
  ...{
    account_number: values.account_number.trim() || null,
    callback_networks: values.callback_networks.trim() || null,
    calls_per_minute: values.calls_per_minute.trim() ? Number(values.calls_per_minute.replaceAll(/[.,\s]/g, "")) : null,
  },
});

/** An account without its number is none, and one without a branch has none. */
function typedAccount({ agencia, conta, tipoConta }: Account) {
  const [branch, number] = [agencia.trim(), conta.trim()];
  return number ? { ...(branch && { agencia: branch }), conta: number, tipoConta } : null;
}

type FieldsProps = { form: ApiForm<Values>; isKnown?: boolean };

/** The fields of a connection. */
function SettingsFields({ form, isKnown = false }: FieldsProps) {
  const t = useTranslations("providers.fields");
  const faultOf = useFaultText(form);
  const text = (name: (typeof texts)[number]) => ({ form, name, label: t(name), fault: faultOf(name) });
  return (
    <>
      <TextField {...text("title")} help={t("titleHelp")} />
      <ProfileField form={form} />
      <TextField {...text("base_url")} help={t("base_urlHelp")} inputMode="url" placeholder="https://" />
      <TextField {...text("token_url")} inputMode="url" placeholder="https://" />
      <TextField {...text("client_id")} spellCheck={false} />
      <TextField
        {...text("client_secret")}
        type="password"
        autoComplete="new-password"
        {...(isKnown && { help: t("stays") })}
      />
      <PemField form={form} name="certificate" isKnown={isKnown} />
      <PemField form={form} name="private_key" isKnown={isKnown} />
      <TextField {...text("pix_key")} help={t("pix_keyHelp")} spellCheck={false} />
      <TextField {...text("scope")} help={t("scopeHelp")} optional={t("optional")} spellCheck={false} />
      <Folded form={form} title={t("rare")}>
        <PemField form={form} name="authority" isKnown={isKnown} />
        <AccountFields form={form} />
        {rare.map((name) => (
          <TextField key={name} {...text(name)} help={t(`${name}Help`)} optional={t("optional")} spellCheck={false} />
        ))}
        <CheckOption
          label={t("callback_certificate")}
          help={t("callback_certificateHelp")}
          {...form.register("callback_certificate")}
        />
      </Folded>
    </>
  );
}

/** Fields that are folded until one of them is set, or is faulty: a field that is not shown cannot have the focus. */
function Folded({ form, title, children }: FieldsProps & { title: string; children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  const { defaultValues, submitCount } = form.formState;
  const faulty = folded.find((name) => form.faultOf(name));
  const isFirst = ![...needed, "certificate", "private_key", "name"].some((name) => form.faultOf(name as keyof Values));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same fault opens the fields again each time the form was sent.
  useEffect(() => {
    if (!faulty || !details.current) return;
    details.current.open = true;
    if (isFirst) form.setFocus(faulty);
  }, [faulty, submitCount]);
  const isSet = rare.some((name) => defaultValues?.[name]) || Boolean(defaultValues?.account?.conta);
  return (
    <details ref={details} open={isSet || defaultValues?.callback_certificate} className="group border-t pt-3">
      <summary className="flex min-h-8 items-center gap-1.5 py-1 font-semibold">
        <ChevronRight
          aria-hidden="true"
          className="size-4 shrink-0 text-muted transition-transform duration-150 group-open:rotate-90"
        />
        {title}
      </summary>
      <div className="grid gap-5 pt-4">{children}</div>
    </details>
  );
}

/** The account that debits of Pix Automático are paid to. */
function AccountFields({ form }: { form: ApiForm<Values> }) {
  const t = useTranslations("providers");
  const text = (name: "conta" | "agencia") => ({
    form,
    name: `account.${name}` as const,
    label: t(`fields.${name}`),
    fault: t(`faults.${name}`),
  });
  return (
    <>
      <TextField {...text("conta")} help={t("fields.contaHelp")} optional={t("fields.optional")} inputMode="numeric" />
      <TextField {...text("agencia")} optional={t("fields.optional")} inputMode="numeric" />
      <Field label={t("fields.tipoConta")}>
        {(wiring) => (
          <Select {...wiring} {...form.register("account.tipoConta")}>
            {accountKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(`accountKinds.${kind}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}

function ProfileField({ form }: { form: ApiForm<Values> }) {
  const t = useTranslations("providers");
  return (
    <Field label={t("fields.profile")} error={form.faultOf("profile") && t("faults.profile")}>
      {(wiring) => (
        <Select {...wiring} {...form.register("profile")}>
          {allProfiles.map((name) => (
            <option key={name} value={name}>
              {t(`profiles.${name}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

type PemProps = { form: ApiForm<Values>; name: (typeof pems)[number]; isKnown: boolean };

/** A certificate or key, pasted or read from a file in the browser. A file with both fills both fields. */
function PemField({ form, name, isKnown }: PemProps) {
  const t = useTranslations("providers.fields");
  const faultOf = useFaultText(form);
  const input = useRef<HTMLInputElement>(null);
  const fill = (field: (typeof pems)[number], text: string) =>
    text && form.setValue(field, text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  async function read({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    const text = (await file?.text()) ?? "";
    target.value = ""; // so that the same file can be chosen again
    const { certificates, key } = pemsIn(text);
    if (name === "authority") return fill(name, certificates || text);
    fill("certificate", certificates);
    fill("private_key", key);
    if (!certificates && !key) fill(name, text); // the fault then says what it is not
  }
  return (
    <div className="grid justify-items-start gap-2">
      <div className="w-full">
        <TextAreaField
          form={form}
          name={name}
          label={t(name)}
          help={isKnown ? t("stays") : t(`${name}Help`)}
          optional={t("optional")}
          fault={faultOf(name)}
          maxLength={20_000}
        />
      </div>
      <input ref={input} type="file" accept=".pem,.crt,.cer,.key,.txt" onChange={read} hidden />
      <Button size="small" aria-label={t("fileOf", { field: t(name) })} onClick={() => input.current?.click()}>
        {t("file")}
      </Button>
    </div>
  );
}

/** The text of a field's fault: what the trial found, with the PSP's own words where it said any, else what the field takes. */
function useFaultText(form: ApiForm<Values>) {
  const t = useTranslations("providers");
  return (name: (typeof texts)[number] | (typeof pems)[number]) => {
    const code = form.faultOf(name);
    if (code === undefined || !(code in providerFaults)) return t(`faults.${name}`);
    const text = t(`settingsFaults.${code as keyof typeof providerFaults}`);
    const [, reason] = form.apiTextsOf(name);
    return reason ? t("saidByProvider", { text, reason }) : text;
  };
}
