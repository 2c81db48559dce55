"use client";
import { Download } from "lucide-react";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import type { ApiPath } from "@/components/paths";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";

type Props = {
  path: ApiPath;
  account: string | null;
  /** The filters of the list that the file has too. */
  asked: Readonly<Record<string, string | undefined>>;
  /** The name of the file, without its ending. */
  file: string;
};

/** The records of a list as a file: for programs, or as a Brazilian Excel opens it. */
export function ExportButtons({ path, account, asked, file }: Props) {
  const t = useTranslations("common.export");
  const save = useAction<void, "raw" | "excel">({
    act: (format) => apiOf(account).download(path, { ...asked, format }, `${file}.csv`),
    refresh: [account, "exports"],
  });
  return (["raw", "excel"] as const).map((format) => (
    <Button
      key={format}
      look="quiet"
      busy={save.isPending && save.variables === format}
      onClick={() => save.mutate(format)}
    >
      <Download aria-hidden="true" />
      {t(format)}
    </Button>
  ));
}
