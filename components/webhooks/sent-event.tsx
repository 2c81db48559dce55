"use client";
import { useTranslations } from "use-intl";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { CodeBlock } from "@/components/ui/code";
import { Copyable, CopyButton } from "@/components/ui/copy";
import { Columns, Facts, PageHead, Section } from "@/components/ui/page";
import { useKindName } from "@/components/webhooks/kind-name";
import { useWhenSent } from "@/components/webhooks/when-sent";
import type { WebhookEvent } from "@/lib/webhooks/schema";

type Field = { path: string; type: string; words: readonly string[]; isNullable: boolean; isOptional: boolean };

export type SentEventProps = {
  key: string;
  name: string;
  contract: "cash" | "event" | "legacy";
  registrations: readonly WebhookEvent[];
  headers: readonly string[];
  example: string;
  fields: readonly Field[];
};

/** One of what a webhook may be sent: when, an example, and every field. */
export function SentEvent({ sent }: { sent: SentEventProps }) {
  const t = useTranslations("sentEvents");
  const webhooks = useTranslations("webhooks");
  const title = useKindName()(sent.key);
  return (
    <>
      <Breadcrumb href="/webhooks/sent" list={t("title")} here={title} />
      <PageHead title={title} purpose={useWhenSent()(sent.key)} />
      <Columns>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8 max-lg:contents">
          <Section
            title={t("example")}
            className="min-w-0"
            aside={<CopyButton text={sent.example} label={t("copy")} />}
          >
            <p className="mb-3 text-muted">{t("exampleHelp")}</p>
            <CodeBlock className="max-h-[32rem]">{sent.example}</CodeBlock>
          </Section>
          <Section title={t("fields")} className="min-w-0 max-lg:order-last">
            <Fields fields={sent.fields} />
          </Section>
        </div>
        <Section title={t("facts")} className="min-w-0 max-lg:order-first">
          <Facts
            rows={[
              [t("name"), <Copyable key="name" text={sent.name} />],
              [
                t("registered"),
                <Lines key="registered" of={sent.registrations.map((one) => webhooks(`events.${one}`))} />,
              ],
              [t("contract"), t(`contracts.${sent.contract}`)],
              [t("headers"), <Lines key="headers" of={sent.headers} isCode />],
            ]}
          />
        </Section>
      </Columns>
    </>
  );
}

function Lines({ of, isCode = false }: { of: readonly string[]; isCode?: boolean }) {
  return (
    <ul>
      {of.map((line) => (
        <li key={line}>{isCode ? <code className="font-mono text-caption">{line}</code> : line}</li>
      ))}
    </ul>
  );
}

function Fields({ fields }: { fields: readonly Field[] }) {
  const t = useTranslations("sentEvents");
  return (
    <dl>
      {fields.map(({ path, type, words, isNullable, isOptional }) => (
        <div key={path} className="grid gap-x-6 gap-y-0.5 border-t py-2 first:border-t-0 sm:grid-cols-2">
          <dt className="min-w-0 wrap-anywhere font-mono text-caption leading-5">{path}</dt>
          <dd className="min-w-0 text-caption text-muted leading-5">
            {t(`types.${type as "string"}`)}
            {isNullable && ` ${t("orNull")}`}
            {isOptional && ` · ${t("optional")}`}
            {words.length > 0 && <code className="block wrap-anywhere font-mono text-ink">{words.join(" | ")}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
