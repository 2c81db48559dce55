"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";
import { originMeant } from "@/lib/typed/origins";

/** Registers a domain; `origin` is what the form starts with. */
export function AddDomain({ origin, onClose }: { origin: string; onClose: () => void }) {
  const t = useTranslations("publicKey");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/public-keys/schema").then(({ DomainBody }) => DomainBody),
    defaultValues: { origin },
    send: (body) => api.post("/api/partner/v1/public-key/domains", body),
    fieldOf: { domain_limit_reached: "origin" },
    refresh: [api.account, "public-key"],
    done: t("added"),
    onSuccess: onClose,
  });
  return (
    <FormDialog form={form} title={t("add")} description={t("addHelp")} action={t("add")} onClose={onClose}>
      <TextField
        form={form}
        name="origin"
        label={t("domain")}
        help={t("domainHelp")}
        fault={faultText()}
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://"
      />
    </FormDialog>
  );

  function faultText(): string {
    if (form.faultOf("origin") === "domain_limit_reached") return t("faults.limit");
    const meant = originMeant(form.getValues("origin"));
    return meant ? t("faults.meant", { origin: meant }) : t("faults.form");
  }
}
