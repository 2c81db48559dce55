"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { changeStaffRoles, inviteStaff, STAFF, type StaffMember } from "@/components/operator/staff-queries";
import { CheckOption, TextField } from "@/components/ui/form";
import { FormDialog } from "@/components/ui/form-dialog";

type StaffRole = StaffMember["roles"][number];

/** Every role of the staff, in the order of the form; the type demands all. */
const allRoles = Object.keys({ support: 1, finance: 1, admin: 1 } satisfies Record<StaffRole, 1>) as StaffRole[];

/** Invites a person to the staff. */
export function InviteStaff({ onClose }: { onClose: () => void }) {
  const t = useTranslations("staff");
  const form = useApiForm({
    schema: () => import("@/lib/staff/schema").then(({ StaffInviteBody }) => StaffInviteBody),
    defaultValues: { name: "", email: "", roles: ["support"] as StaffRole[] },
    send: inviteStaff,
    refresh: STAFF,
    done: t("invited"),
    onSuccess: onClose,
    fieldOf: { already_in_team: "email", email_of_seller: "email" },
  });
  const taken = form.faultOf("email");
  return (
    <FormDialog form={form} title={t("invite")} description={t("inviteHelp")} action={t("inviteNow")} onClose={onClose}>
      <TextField form={form} name="name" label={t("name")} fault={t("faults.name")} />
      <TextField
        form={form}
        name="email"
        label={t("email")}
        type="email"
        inputMode="email"
        fault={taken === "already_in_team" || taken === "email_of_seller" ? t(`faults.${taken}`) : t("faults.email")}
      />
      <Roles form={form} />
    </FormDialog>
  );
}

/** Gives a person of the staff other roles. */
export function StaffRoles({ person, onClose }: { person: StaffMember; onClose: () => void }) {
  const t = useTranslations("staff");
  const form = useApiForm({
    schema: () => import("@/lib/staff/schema").then(({ StaffRolesBody }) => StaffRolesBody),
    defaultValues: { roles: person.roles as StaffRole[] },
    send: (body) => changeStaffRoles(person.id, body),
    refresh: STAFF,
    done: t("changed"),
    onSuccess: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t("rolesOf", { name: person.name })}
      description={t("rolesHelp")}
      action={t("save")}
      onClose={onClose}
    >
      <Roles form={form} />
    </FormDialog>
  );
}

type RolesProps = { form: { register: (name: "roles") => object; faultOf: (name: "roles") => string | undefined } };

function Roles({ form }: RolesProps) {
  const t = useTranslations("staff");
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 font-semibold">{t("roles")}</legend>
      {allRoles.map((name) => (
        <CheckOption
          key={name}
          value={name}
          label={t(`roleNames.${name}`)}
          help={t(`roleHelp.${name}`)}
          {...form.register("roles")}
        />
      ))}
      {form.faultOf("roles") && (
        <p role="alert" className="text-bad">
          {t("faults.roles")}
        </p>
      )}
    </fieldset>
  );
}
