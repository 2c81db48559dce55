"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { RoleField } from "@/components/team/roles";
import { FormDialog } from "@/components/ui/form-dialog";
import { toast } from "@/components/ui/toast";
import type { Awaiting } from "@/lib/approvals/schema";
import type { Member } from "@/lib/team/schema";

/** Gives a person another role; of another owner, once another owner agrees. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useTranslations("team");
  const api = useApi();
  const { id, name, role, is_me } = member;
  const form = useApiForm({
    schema: () => import("@/lib/team/schema").then(({ RoleBody }) => RoleBody),
    defaultValues: { role },
    send: (body) => api.patch<Partial<Awaiting>>(`/api/dashboard/v1/team/members/${id}`, body),
    refresh: [api.account],
    onSuccess({ approval }) {
      toast(t(approval ? "asked" : "changed"));
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={t("changeNamed", { name })}
      description={t(role === "owner" && !is_me ? "changeOwnerHelp" : "changeHelp", { name })}
      action={t("changeAction")}
      onClose={onClose}
    >
      <RoleField form={form} name="role" />
    </FormDialog>
  );
}
