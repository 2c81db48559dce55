"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { saveFile } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { erasuresQuery } from "@/components/privacy/queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Form, Submit, TextField } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import { MAX_COUNTED } from "@/lib/limits";
import type { Effect, Erasure } from "@/lib/privacy/schema";

type Found = { person: string; effects: Effect[] };
type Texts = ReturnType<typeof useTranslations<"customerData">>;
type Key = Parameters<Texts>[0];

/** What the account keeps of a customer, who asks for it or to have it erased. */
export function CustomerData() {
  const t = useTranslations("customerData");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/privacy/schema").then(({ PersonBody }) => PersonBody),
    defaultValues: { person: "" },
    async send({ person }): Promise<Found> {
      const { data } = await api.post<{ data: Effect[] }>("/api/dashboard/v1/customer-data", { person });
      return { person: person.trim(), effects: data };
    },
  });
  const found = form.busy ? undefined : form.answer;
  return (
    <div className="grid gap-8">
      <Section title={t("title")}>
        <p className="mb-4 max-w-[64ch] text-muted">{t("purpose")}</p>
        <Form form={form} className="max-w-[420px]">
          <TextField
            form={form}
            name="person"
            label={t("person")}
            fault={t("fault")}
            maxLength={254}
            spellCheck={false}
          />
          <Submit form={form} busyText={t("looking")}>
            {t("look")}
          </Submit>
        </Form>
        <div role="status" className="mt-6 empty:hidden">
          {found && <Kept found={found} />}
        </div>
      </Section>
      <History />
    </div>
  );
}

function Kept({ found: { person, effects } }: { found: Found }) {
  const t = useTranslations("customerData");
  const api = useApi();
  const download = useAction({
    act: async () => {
      const file = await api.post<object>("/api/dashboard/v1/customer-data/export", { person });
      saveFile(new Blob([JSON.stringify(file, null, 2)], { type: "application/json" }), "customer-data.json");
    },
    done: t("downloaded"),
    refresh: [api.account, "customer-data"],
  });
  if (effects.length === 0) return <p>{t("none")}</p>;
  return (
    <div className="grid gap-4">
      <h3 className="wrap-anywhere font-semibold">{t("of", { person })}</h3>
      <ul className="grid gap-4">
        {effects.map((effect) => (
          <EffectItem key={effect.place} effect={effect} />
        ))}
      </ul>
      <p className="max-w-[72ch] text-muted">{t("traces")}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="secondary" busy={download.isPending} onClick={() => download.mutate()}>
          {t("download")}
        </Button>
        <ConfirmButton
          look="danger"
          title={t("eraseTitle")}
          help={t("eraseHelp")}
          action={t("erase")}
          act={() => api.post("/api/dashboard/v1/customer-data/erasures", { person })}
          done={t("eraseDone")}
          refresh={erasuresQuery(api.account).queryKey}
        >
          {t("erase")}
        </ConfirmButton>
      </div>
    </div>
  );
}

function EffectItem({ effect: { place, found, erases, keeps, why, years } }: { effect: Effect }) {
  const t = useTranslations("customerData");
  const list = (names: string[]) => names.map((name) => t(`members.${name}` as Key)).join(", ");
  return (
    <li className="grid gap-0.5 border-t pt-3">
      <p className="flex flex-wrap justify-between gap-x-4">
        <span className="font-medium">{t(`places.${place}` as Key)}</span>
        <span className="tabular-nums">{found > MAX_COUNTED ? t("many") : t("number", { count: found })}</span>
      </p>
      <p>{erases.length > 0 ? t("erases", { list: list(erases) }) : t("erasesNothing")}</p>
      {keeps.length > 0 && <p>{t("keeps", { list: list(keeps) })}</p>}
      <p className="max-w-[72ch] text-caption text-muted">{t(`why.${why}`, { years: years ?? 0 })}</p>
    </li>
  );
}

function History() {
  const t = useTranslations("customerData");
  const { account } = useApi();
  return (
    <Section title={t("history")}>
      <Loaded result={useQuery(erasuresQuery(account))} skeleton={<RowsSkeleton rows={2} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">{t("historyNone")}</p>
          ) : (
            <ul className="grid gap-3">
              {data.map((erasure) => (
                <HistoryItem key={erasure.id} erasure={erasure} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function HistoryItem({ erasure: { created_at, done_at, erased } }: { erasure: Erasure }) {
  const t = useTranslations("customerData");
  const count = Object.values(erased).reduce((sum, number) => sum + number, 0);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
      <span>{t.rich("asked", { time: () => <Time at={created_at} absolute real /> })}</span>
      <span className="text-muted">{t("erased", { count })}</span>
      <Status tone={done_at ? "good" : "info"}>{t(done_at ? "done" : "running")}</Status>
    </li>
  );
}
