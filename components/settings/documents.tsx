"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { useDates } from "@/components/format";
import { documentsQuery, settingsOf } from "@/components/settings/queries";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { SettingsHead } from "@/components/settings/tabs";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { AccountLink } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { Columns, Section } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";
import { Status, type Tone } from "@/components/ui/status";
import { Upload } from "@/components/ui/upload";
import { documentTypes, fileNameOf, MAX_DOCUMENT_BYTES } from "@/lib/account-documents/limits";
import type { AccountDocument } from "@/lib/account-documents/schema";
import { documentKinds } from "@/lib/account-documents/states";
import type { Needed, Onboarding } from "@/lib/onboarding/schema";

/** The documents that the operator reviews before the account is approved, and what is missing. */
export function DocumentsPage() {
  const t = useTranslations("ownDocuments");
  const { account, modes } = useSession();
  const isLive = account.mode === "live";
  const result = useQuery({ ...documentsQuery(account.id), enabled: isLive });
  return (
    <>
      <SettingsHead />
      {isLive ? (
        <Loaded result={result} skeleton={<FieldsSkeleton />}>
          {({ data }) => <Known onboarding={data} />}
        </Loaded>
      ) : (
        <Empty
          action={
            <a
              href={`/${modes.live}/settings/documents`}
              className="font-medium text-accent underline underline-offset-4"
            >
              {t("toLive")}
            </a>
          }
        >
          {t("onlyLive")}
        </Empty>
      )}
    </>
  );
}

function Known({ onboarding }: { onboarding: Onboarding }) {
  const t = useTranslations("ownDocuments");
  const mayWrite = useMay("account:write") && onboarding.status !== "closed";
  return (
    <Columns>
      <div className="grid min-w-0 gap-6 max-lg:order-2">
        <p className="max-w-[64ch] text-muted">{t("purpose")}</p>
        {documentKinds.map((kind) => (
          <Kind
            key={kind}
            kind={kind}
            documents={onboarding.documents.filter((one) => one.kind === kind)}
            mayWrite={mayWrite}
          />
        ))}
      </div>
      <Review onboarding={onboarding} mayWrite={mayWrite} />
    </Columns>
  );
}

type Kind = AccountDocument["kind"];
const tones = { missing: "muted", sent: "info", accepted: "good", refused: "bad" } as const satisfies Record<
  AccountDocument["status"] | "missing",
  Tone
>;

/** One kind of document: how its newest stands, and how one is sent. */
function Kind({ kind, documents, mayWrite }: { kind: Kind; documents: readonly AccountDocument[]; mayWrite: boolean }) {
  const t = useTranslations("ownDocuments");
  const { full } = useDates();
  const api = useApi();
  const [newest] = documents;
  const status = newest?.status ?? "missing";
  return (
    <Section title={t(`kinds.${kind}`)} aside={<Status tone={tones[status]}>{t(`status.${status}`)}</Status>}>
      <div className="grid gap-3">
        <p className="text-muted">{t(`kindHelp.${kind}`)}</p>
        {newest?.reason && (
          <p>
            <span className="font-medium">{t("reason")}:</span> {newest.reason}
          </p>
        )}
        {newest && (
          <p className="flex flex-wrap items-center gap-x-3 text-caption text-muted">
            {t("sentAt")} {full(newest.created_at)}
            {mayWrite && (
              <Button
                look="quiet"
                size="small"
                aria-label={t("downloadNamed", { kind: t(`kinds.${kind}`) })}
                onClick={() => api.download(`/api/dashboard/v1/account/documents/${newest.id}`, {}, fileNameOf(newest))}
              >
                {t("download")}
              </Button>
            )}
          </p>
        )}
        {mayWrite && (
          <Upload
            types={documentTypes.join()}
            maxBytes={MAX_DOCUMENT_BYTES}
            send={(file) => api.upload("/api/dashboard/v1/account/documents", file, { kind })}
            field="file"
            refresh={settingsOf(api.account)}
            texts={{
              ...{ send: newest ? t("replace") : t("send"), sending: t("sending"), done: t("saved") },
              label: `${newest ? t("replace") : t("send")}: ${t(`kinds.${kind}`)}`,
              ...{ help: t("help"), tooLarge: t("tooLarge"), refused: t("refused") },
            }}
          />
        )}
      </div>
    </Section>
  );
}

/** How the review stands: what is missing, and the button that asks for it once nothing is. */
function Review({ onboarding, mayWrite }: { onboarding: Onboarding; mayWrite: boolean }) {
  const t = useTranslations("ownDocuments");
  const { full } = useDates();
  const api = useApi();
  const { status, missing, review_asked_at } = onboarding;
  const ask = useAction({
    act: () => api.post("/api/dashboard/v1/account/review"),
    done: t("review.done"),
    refresh: settingsOf(api.account),
  });
  const isWaiting = status === "pending";
  return (
    <Section title={t("review.title")} className="max-lg:order-1">
      <div className="grid justify-items-start gap-3">
        {!isWaiting && <p>{t(`review.${status}`)}</p>}
        {isWaiting && missing.length > 0 && (
          <>
            <p className="font-medium">{t("review.missing")}</p>
            <ul className="list-disc pl-5">
              {missing.map((item) => (
                <li key={item}>
                  <Item item={item} />
                </li>
              ))}
            </ul>
          </>
        )}
        {isWaiting && missing.length === 0 && (
          <p>{review_asked_at ? t("review.asked", { time: full(review_asked_at) }) : t("review.ready")}</p>
        )}
        {isWaiting && missing.length === 0 && !review_asked_at && mayWrite && (
          <Button look="primary" busy={ask.isPending} onClick={() => ask.mutate()}>
            {t("review.ask")}
          </Button>
        )}
      </div>
    </Section>
  );
}

/** Something that is missing, with the way to where it is told; documents are sent on this page. */
function Item({ item }: { item: Needed }) {
  const t = useTranslations("ownDocuments");
  if (item.startsWith("document_")) return t(`needed.${item}`);
  return (
    <AccountLink
      href={item === "legal_representative" ? "/settings?ask=representative" : "/settings"}
      className="font-medium text-accent underline underline-offset-4"
    >
      {t(`needed.${item}`)}
    </AccountLink>
  );
}
