"use client";
import { useTranslations } from "use-intl";
import { EntryHead } from "@/components/auth/entry";
import { Notice } from "@/components/auth/notice";
import { Button } from "@/components/ui/button";

type Props = {
  /** What the mail is for, and to whom. */
  text: string;
  /** The folder of mails where none is sent (lib/users/local-inbox.ts). */
  inbox: string | null;
  onBack: () => void;
};

/** What follows a form whose answer is a mail. It says the same whether or not there is a person with this e-mail. */
export function CheckMail({ text, inbox, onBack }: Props) {
  const t = useTranslations("checkMail");
  return (
    <>
      <EntryHead title={t("title")} isNext />
      <div className="grid justify-items-start gap-5">
        <p className="wrap-anywhere">{text}</p>
        {inbox && (
          <Notice tone="info">
            <p>{t("inbox")}</p>
            <code className="break-all font-mono text-caption">{inbox}</code>
          </Notice>
        )}
        {!inbox && <p className="text-caption text-muted">{t("notThere")}</p>}
        <Button onClick={onBack}>{t("back")}</Button>
      </div>
    </>
  );
}
