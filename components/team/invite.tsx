"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { teamQuery } from "@/components/team/query";
import { type Role, RoleField } from "@/components/team/roles";
import { TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";

/** Invites somebody by mail, with a role. The role that may least is chosen until another one is. */
export function InvitePerson({ onClose }: { onClose: () => void }) {
  const t = useTranslations("team");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/team/schema").then(({ TeamInviteBody }) => TeamInviteBody),
    defaultValues: { email: "", role: "viewer" as Role },
    send: (body) => api.post("/api/dashboard/v1/team/invitations", body),
    refresh: teamQuery(api.account).queryKey,
    done: t("sent"),
    onSuccess: onClose,
    fieldOf: { already_in_team: "email" },
  });
  const isIn = form.faultOf("email") === "already_in_team";
  return (
    <FormDialog form={form} title={t("inviteTitle")} description={t("inviteHelp")} action={t("send")} onClose={onClose}>
      <TextField
        form={form}
        name="email"
        type="email"
        inputMode="email"
        label={t("email")}
        fault={isIn ? t("alreadyIn") : t("emailFault")}
      />
      <RoleField form={form} name="role" />
    </FormDialog>
  );
}
