"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { Back } from "@/components/operator/back";
import { MAILS, type MailDetail, mailQuery, retryMail } from "@/components/operator/mail-queries";
import { MailStatusWord, useTemplateName } from "@/components/operator/mail-words";
import { useStaffMay } from "@/components/operator/person";
import { SellerLink } from "@/components/operator/seller-link";
import { ReadRecord, Record } from "@/components/record/record";
import { StaffTimeline } from "@/components/timeline/timeline";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code";
import { Copyable } from "@/components/ui/copy";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";

/** One mail: what became of it, what to do, and what it says where only the inbox has it. */
export function MailPage({ id }: { id: string }) {
  const t = useTranslations("mails");
  const result = useQuery(mailQuery(id));
  return (
    <>
      <Back href="/operator/mails">{t("title")}</Back>
      <ReadRecord result={result} title={t("one")}>
        {({ data }) => <Known mail={data} />}
      </ReadRecord>
    </>
  );
}

function Known({ mail }: { mail: MailDetail }) {
  const t = useTranslations("mails");
  const nameOf = useTemplateName();
  const mayWrite = useStaffMay("mails:write");
  return (
    <Record
      title={nameOf(mail.template)}
      status={<MailStatusWord status={mail.status} />}
      actions={mail.may_retry && mayWrite && <Retry id={mail.id} />}
      timeline={<StaffTimeline subject="mail" id={mail.id} record={mail} />}
      aside={<MailFacts mail={mail} />}
    >
      {mail.error !== null && <Problem mail={mail} />}
      {mail.status === "kept" && <p className="text-muted">{t("kept")}</p>}
      {mail.content ? <Content content={mail.content} /> : <p className="text-muted">{t(hiddenBecause(mail))}</p>}
    </Record>
  );
}

const hiddenBecause = ({ sent_by, error }: MailDetail) =>
  error === "not_rendered" ? "unreadable" : sent_by === "smtp" ? "gone" : "hidden";

function Retry({ id }: { id: string }) {
  const t = useTranslations("mails");
  const retry = useAction({ act: () => retryMail(id), done: t("retried"), refresh: MAILS });
  return (
    <Button look="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
      {t("retry")}
    </Button>
  );
}

/** Why the last attempt failed, and what helps. */
function Problem({ mail: { error, answer, next_attempt_at } }: { mail: MailDetail }) {
  const t = useTranslations("mails");
  if (error === null) return null;
  return (
    <Section title={t(`errors.${error}`)}>
      <p>{t(`help.${error}`)}</p>
      {answer !== null && (
        <div className="mt-4 grid gap-1">
          <p className="text-caption text-muted">{t("answer")}</p>
          <CodeBlock className="whitespace-pre-wrap wrap-anywhere">{answer}</CodeBlock>
        </div>
      )}
      <p className="mt-4 text-muted">
        {next_attempt_at === null ? (
          t("noNext")
        ) : (
          <>
            {t("next")} <Time at={next_attempt_at} />
          </>
        )}
      </p>
    </Section>
  );
}

/** The mail as it looks, in a frame that runs no script, and as plain text. Its links open in a window of their own. */
function Content({ content: { subject, html, text } }: { content: NonNullable<MailDetail["content"]> }) {
  const t = useTranslations("mails");
  return (
    <>
      <Section title={subject}>
        <iframe
          title={t("preview")}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={html.replace("<head>", '<head><base target="_blank">')}
          className="h-[720px] w-full rounded-card border bg-surface"
        />
      </Section>
      <Section title={t("asText")}>
        <CodeBlock className="whitespace-pre-wrap wrap-anywhere">{text}</CodeBlock>
      </Section>
    </>
  );
}

function MailFacts({ mail }: { mail: MailDetail }) {
  const operator = useTranslations("operator");
  const t = useTranslations("mails");
  const { account, mode, locale, sent_at, sent_by } = mail;
  const languages = useTranslations("preferences");
  const language = languages.has(locale as "en") ? languages(locale as "en") : locale;
  return (
    <Section title={t("facts")}>
      <Facts
        rows={[
          [t("recipient"), mail.recipient],
          account && [
            t("account"),
            <SellerLink key="account" id={account.id}>
              {account.name}
            </SellerLink>,
          ],
          mode !== null && [t("columns.mode"), operator(`modes.${mode}`)],
          [t("language"), language],
          [t("attempts"), String(mail.attempts)],
          [t("columns.written"), <Time key="written" at={mail.created_at} absolute />],
          sent_at !== null && [
            t(sent_by === "inbox" ? "writtenToInbox" : "acceptedAt"),
            <Time key="sent" at={sent_at} absolute />,
          ],
          [t("id"), <Copyable key="id" text={mail.id} />],
        ]}
      />
    </Section>
  );
}
