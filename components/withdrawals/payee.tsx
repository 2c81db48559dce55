"use client";
import { useTranslations } from "use-intl";
import type { ApiForm } from "@/components/api-form";
import { Field, Input } from "@/components/ui/field";
import { TextField } from "@/components/ui/form";
import { keysIn, keyText, payeeText } from "@/components/withdrawals/key";
import { isDocument, keyTyped, type Payee, REFUSED, type WithdrawalValues } from "@/components/withdrawals/values";

type FormProps = { form: ApiForm<WithdrawalValues> };

/** Who receives: somebody who was paid before, or another key. */
export function PayeeFields({ form, payees }: FormProps & { payees: readonly Payee[] }) {
  const t = useTranslations("withdrawals.form");
  const isOther = form.watch("payee") === "";
  if (payees.length === 0) return <KeyFields form={form} />;
  const options = [...payees.map((payee) => [payee.pix_key, payee] as const), ["", null] as const];
  return (
    <fieldset className="grid">
      <legend className="mb-2 font-medium">{t("to")}</legend>
      <div className="rounded-card border bg-surface">
        {options.map(([value, payee]) => (
          <label
            key={value}
            className="flex cursor-pointer items-center gap-3 border-t px-4 py-3 first:border-t-0 has-[:checked]:bg-accent/6"
          >
            <input type="radio" value={value} {...form.register("payee")} className="size-4 shrink-0 accent-accent" />
            {payee ? <Known payee={payee} /> : <span>{t("another")}</span>}
          </label>
        ))}
      </div>
      {isOther && (
        <div className="mt-5">
          <KeyFields form={form} />
        </div>
      )}
    </fieldset>
  );
}

function Known({ payee }: { payee: Payee }) {
  const { owner_name, pix_key_type: type, pix_key: key } = payee;
  const t = useTranslations("withdrawals");
  return (
    <span className="grid min-w-0">
      <span className="truncate font-medium">{payeeText(payee)}</span>
      <span className="truncate text-caption text-muted">
        {t(`keyTypes.${type}`)} {owner_name !== null && keyText({ type, key })}
      </span>
    </span>
  );
}

/** A key, whose type is found from what is typed, and whose it should be where the key does not say it. */
function KeyFields({ form }: FormProps) {
  const t = useTranslations("withdrawals.form");
  const types = useTranslations("withdrawals.keyTypes");
  const values = form.watch(["pix_key", "pix_key_type"]);
  const [typed, chosen] = values;
  const readings = keysIn(typed);
  const key = keyTyped({ pix_key: typed, pix_key_type: chosen });
  const fault = form.faultOf("pix_key");
  return (
    <div className="grid gap-5">
      <Field
        label={t("key")}
        help={key ? t("found", { type: types(key.type), key: keyText(key) }) : t("keyHelp")}
        error={fault && t(key ? "faults.keyUnknown" : "faults.key")}
      >
        {(wiring) => <Input autoComplete="off" maxLength={140} {...wiring} {...form.register("pix_key")} />}
      </Field>
      {readings.length > 1 && (
        <fieldset className="grid gap-2">
          <legend className="mb-2">{t("either")}</legend>
          {readings.map((reading) => (
            <label key={reading.type} className="flex items-center gap-3">
              <input
                type="radio"
                value={reading.type}
                {...form.register("pix_key_type")}
                className="size-4 shrink-0 accent-accent"
              />
              {t("found", { type: types(reading.type), key: keyText(reading) })}
            </label>
          ))}
          {form.faultOf("pix_key_type") && <p className="text-bad text-caption">{t("faults.either")}</p>}
        </fieldset>
      )}
      {key && !isDocument(key) && (
        <TextField
          form={form}
          name="document.number"
          label={t("document")}
          help={t("documentHelp")}
          fault={t(form.faultOf("document.number") === REFUSED ? "faults.documentMismatch" : "faults.document")}
          inputMode="text"
          maxLength={60}
        />
      )}
    </div>
  );
}
