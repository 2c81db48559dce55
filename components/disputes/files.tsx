"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Upload } from "@/components/ui/upload";
import { documentTypes } from "@/lib/account-documents/limits";
import { MAX_EVIDENCE, MAX_EVIDENCE_BYTES } from "@/lib/disputes/limits";
import type { DisputeDetail, EvidenceFile } from "@/lib/disputes/schema";

const endings: Readonly<Record<string, string>> = { "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png" };

/** How a file is called when it is saved. */
export const savedAs = ({ id, content_type }: EvidenceFile) => `contestacao-${id}.${endings[content_type] ?? "bin"}`;

/** The files of a defence; while it is not sent more are added, and each can go. */
export function Files({ dispute, mayWrite }: { dispute: DisputeDetail; mayWrite: boolean }) {
  const t = useTranslations("disputes.files");
  const api = useApi();
  const mayRead = useMay("personal:read"); // a file is not masked
  const path = `/api/partner/v1/disputes/${dispute.code}/files` as const;
  const refresh = [api.account, "disputes"];
  const { files } = dispute;
  return (
    <div className="grid gap-3">
      {files.length === 0 && <p className="text-muted">{t(mayWrite ? "none" : "noneSent")}</p>}
      {files.length > 0 && (
        <ul className="grid gap-2">
          {files.map((file) => (
            <li key={file.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="wrap-anywhere min-w-0 flex-1 basis-40">{file.name}</span>
              <span className="text-caption text-muted">{t("size", { kb: Math.ceil(file.size / 1_000) })}</span>
              {mayRead && (
                <Button
                  look="quiet"
                  size="small"
                  aria-label={t("downloadNamed", { name: file.name })}
                  onClick={() => api.download(`${path}/${file.id}`, {}, savedAs(file))}
                >
                  {t("download")}
                </Button>
              )}
              {mayWrite && (
                <ConfirmButton
                  title={t("removeTitle")}
                  help={t("removeHelp", { name: file.name })}
                  action={t("remove")}
                  act={() => api.delete(`${path}/${file.id}`)}
                  done={t("removed")}
                  refresh={refresh}
                >
                  {t("remove")}
                </ConfirmButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && files.length < MAX_EVIDENCE && (
        <Upload
          types={documentTypes.join()}
          maxBytes={MAX_EVIDENCE_BYTES}
          send={(file) => api.upload(path, file, { name: file.name.slice(0, 120) || t("unnamed") })}
          field="file"
          refresh={refresh}
          texts={{
            ...{ send: t("add"), sending: t("sending"), done: t("added"), help: t("help") },
            ...{ tooLarge: t("tooLarge"), refused: t("refused") },
          }}
        />
      )}
    </div>
  );
}
