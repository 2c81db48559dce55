"use client";
import { Download } from "lucide-react";
import { useTranslations } from "use-intl";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";

/** The recovery codes, which are shown once. Only the dialog's own button closes it. */
export function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTranslations("security");
  const text = codes.join("\n");
  return (
    <Dialog title={t("codesTitle")} description={t("codesOnce")} sticky onClose={onClose}>
      <ul className="grid gap-x-6 gap-y-1.5 rounded-card border bg-ground px-4 py-3 font-mono sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <CopyButton text={text} label={t("copyAll")} />
        <Button look="quiet" size="small" onClick={() => save(t("codesFile"), `${text}\n`)}>
          <Download aria-hidden="true" />
          {t("download")}
        </Button>
      </div>
      <Button look="primary" className="mt-6 max-sm:w-full" onClick={onClose}>
        {t("kept")}
      </Button>
    </Dialog>
  );
}

function save(name: string, text: string) {
  const href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  URL.revokeObjectURL(href);
}
