"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { securityQuery } from "@/components/security/query";
import { Copyable } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextField } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import { qrOf } from "@/components/ui/qr";
import { SkeletonBlock } from "@/components/ui/skeleton";
import type { NewSecondFactor, RecoveryCodes } from "@/lib/users/schema";

const api = apiOf(null);

type Props = { onCodes: (codes: string[]) => void; onClose: () => void };

/** Draws a second factor, which counts once its first code was typed; then come the recovery codes. */
export function SetUp({ onCodes, onClose }: Props) {
  const t = useTranslations("security");
  const drawn = useQuery({
    queryKey: ["second-factor"],
    queryFn: () => api.post<NewSecondFactor>("/api/dashboard/v1/security/second-factor"),
    // Each one that is drawn takes the place of the one before, which an app may have read already.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnReconnect: false, retry: false },
  });
  return (
    <Dialog title={t("setUpTitle")} description={t("setUpHelp")} sticky={drawn.data !== undefined} onClose={onClose}>
      <Loaded result={drawn} skeleton={<SkeletonBlock className="h-60 w-60" />}>
        {(factor) => <FirstCode factor={factor} onCodes={onCodes} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

function FirstCode({ factor: { secret, uri }, onCodes, onClose }: Props & { factor: NewSecondFactor }) {
  const t = useTranslations("security");
  const common = useTranslations("common");
  const { qrPath, qrSize } = qrOf(uri);
  const form = useApiForm({
    schema: () => import("@/lib/users/schema").then(({ CodeBody }) => CodeBody),
    defaultValues: { code: "" },
    send: (body) => api.post<RecoveryCodes>("/api/dashboard/v1/security/second-factor/confirm", body),
    refresh: securityQuery.queryKey,
    onSuccess({ recovery_codes }) {
      onCodes(recovery_codes);
      onClose();
    },
  });
  return (
    <Form form={form}>
      <div className="flex flex-wrap items-start gap-6">
        <svg
          role="img"
          aria-label={t("qr")}
          viewBox={`-4 -4 ${qrSize + 8} ${qrSize + 8}`}
          className="size-52 shrink-0 rounded-card border bg-white"
          shapeRendering="crispEdges"
        >
          <path d={qrPath} fill="#000" />
        </svg>
        <div className="grid min-w-0 gap-1">
          <p className="font-medium">{t("key")}</p>
          <Copyable text={secret} shown={secret.replace(/(.{4})(?=.)/g, "$1 ")} />
        </div>
      </div>
      <TextField
        form={form}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        label={t("code")}
        help={t("codeHelp")}
        fault={t("codeFault")}
      />
      <p className="text-caption text-muted">{t("confirmEffect")}</p>
      <div className="flex flex-wrap items-start gap-2">
        <Submit form={form}>{t("confirm")}</Submit>
        <button
          type="button"
          onClick={onClose}
          className="h-9 px-3 text-muted hover:text-ink max-sm:h-11 max-sm:w-full"
        >
          {common("cancel")}
        </button>
      </div>
    </Form>
  );
}
