"use client";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { originMeant } from "@/components/cards/origin";
import { useApi } from "@/components/frame/account";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextField } from "@/components/ui/form";
import { toast } from "@/components/ui/toast";

/** Registers a domain; `origin` is what the form starts with. */
export function AddDomain({ origin, onClose }: { origin: string; onClose: () => void }) {
  const t = useTranslations("publicKey");
  const api = useApi();
  const client = useQueryClient();
  const form = useApiForm({
    schema: () => import("@/lib/public-keys/schema").then(({ DomainBody }) => DomainBody),
    defaultValues: { origin },
    send: (body, options) => api.post("/api/partner/v1/public-key/domains", body, options),
    fieldOf: { domain_limit_reached: "origin" },
    async onSuccess() {
      await client.invalidateQueries({ queryKey: [api.account, "public-key"] });
      toast(t("added"));
      onClose();
    },
  });
  return (
    <Dialog title={t("add")} description={t("addHelp")} onClose={onClose}>
      <Form form={form}>
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
        <Submit form={form}>{t("add")}</Submit>
      </Form>
    </Dialog>
  );

  function faultText(): string {
    if (form.faultOf("origin") === "domain_limit_reached") return t("faults.limit");
    const meant = originMeant(form.getValues("origin"));
    return meant ? t("faults.meant", { origin: meant }) : t("faults.form");
  }
}
