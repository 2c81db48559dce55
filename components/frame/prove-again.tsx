"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { apiOf } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextField } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import type { Security, StepUpBody } from "@/lib/users/schema";

type Props = { onProved: () => void; onClose: () => void };

const api = apiOf(null);

/** Asks for a code of the second factor or, without one, for the password; then what was sent is sent again. */
export function ProveAgain({ onProved, onClose }: Props) {
  const t = useTranslations("proveAgain");
  const security = useQuery({
    queryKey: ["security"],
    queryFn: ({ signal }) => api.get<Security>("/api/dashboard/v1/security", {}, signal),
  });
  return (
    <Dialog title={t("title")} description={t("help")} onClose={onClose}>
      <Loaded result={security} skeleton={<div className="h-24" />}>
        {({ second_factor }) => <Proof by={second_factor ? "code" : "password"} onProved={onProved} />}
      </Loaded>
    </Dialog>
  );
}

const inputs = {
  code: { autoComplete: "one-time-code", inputMode: "numeric", maxLength: 40 },
  password: { type: "password", autoComplete: "current-password" },
} as const;

function Proof({ by, onProved }: { by: "code" | "password"; onProved: () => void }) {
  const t = useTranslations("proveAgain");
  const form = useApiForm<{ code: string; password: string }, StepUpBody, unknown>({
    schema: () => import("@/lib/users/schema").then(({ StepUpBody }) => StepUpBody),
    defaultValues: { code: "", password: "" },
    body: (values) => ({ [by]: values[by] }),
    send: (body) => api.post("/api/dashboard/v1/security/step-up", body),
    onSuccess: onProved,
  });
  return (
    <Form form={form}>
      <TextField
        form={form}
        name={by}
        label={t(by)}
        help={t(`${by}Help`)}
        fault={t(`${by}Wrong`)}
        autoFocus
        {...inputs[by]}
      />
      <Submit form={form}>{t("confirm")}</Submit>
    </Form>
  );
}
