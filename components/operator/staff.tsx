"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useStaffMay } from "@/components/operator/person";
import {
  removeStaff,
  resetStaffFactor,
  STAFF,
  type StaffMember,
  staffQuery,
} from "@/components/operator/staff-queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";
import { Status } from "@/components/ui/status";

const InviteStaff = lazyWindow(() => import("@/components/operator/staff-form").then((module) => module.InviteStaff));
const StaffRoles = lazyWindow(() => import("@/components/operator/staff-form").then((module) => module.StaffRoles));

/** The people of the operator's staff, and what each may do. */
export function StaffPage() {
  const t = useTranslations("staff");
  const result = useQuery(staffQuery);
  const mayWrite = useStaffMay("staff:write");
  const [inviting, setInviting] = useState(false);
  return (
    <>
      <PageHead
        title={t("title")}
        purpose={t("purpose")}
        action={
          mayWrite && (
            <Button look="primary" onClick={() => setInviting(true)}>
              {t("invite")}
            </Button>
          )
        }
      />
      <Loaded result={result}>
        {({ data }) => (
          <ul className="border-b">
            {data.map((person) => (
              <Row key={person.id} person={person} mayWrite={mayWrite && !person.is_me} />
            ))}
          </ul>
        )}
      </Loaded>
      {inviting && <InviteStaff onClose={() => setInviting(false)} />}
    </>
  );
}

function Row({ person, mayWrite }: { person: StaffMember; mayWrite: boolean }) {
  const t = useTranslations("staff");
  const { name, email, roles, is_invited, is_me, has_second_factor } = person;
  return (
    <li className="grid gap-x-8 gap-y-2 border-t py-4 md:grid-cols-[minmax(0,1.2fr)_minmax(0,0.8fr)_minmax(0,1.2fr)] md:items-center">
      <div className="grid min-w-0">
        <h2 className="wrap-anywhere font-semibold">
          {name}
          {is_me && <span className="font-normal text-muted"> · {t("me")}</span>}
        </h2>
        <p className="wrap-anywhere text-caption text-muted">{email}</p>
      </div>
      <div className="grid min-w-0 gap-0.5">
        <p>{roles.map((role) => t(`roleNames.${role}`)).join(", ")}</p>
        {is_invited ? (
          <Status tone="warn">{t("isInvited")}</Status>
        ) : (
          <Status tone={has_second_factor ? "good" : "warn"}>{t(has_second_factor ? "factor" : "noFactor")}</Status>
        )}
      </div>
      {mayWrite && <Actions person={person} />}
    </li>
  );
}

function Actions({ person }: { person: StaffMember }) {
  const t = useTranslations("staff");
  const [changing, setChanging] = useState(false);
  const { id, name, has_second_factor } = person;
  return (
    <div className="-ml-2.5 flex flex-wrap md:justify-end">
      <Button look="quiet" size="small" aria-label={t("rolesOf", { name })} onClick={() => setChanging(true)}>
        {t("change")}
      </Button>
      {has_second_factor && (
        <ConfirmButton
          look="quiet"
          size="small"
          aria-label={t("resetNamed", { name })}
          title={t("resetNamed", { name })}
          help={t("resetHelp")}
          action={t("resetNow")}
          act={() => resetStaffFactor(id)}
          done={t("wasReset")}
          refresh={STAFF}
        >
          {t("reset")}
        </ConfirmButton>
      )}
      <ConfirmButton
        look="quiet"
        size="small"
        aria-label={t("removeNamed", { name })}
        title={t("removeNamed", { name })}
        help={t("removeHelp")}
        action={t("removeNow")}
        act={() => removeStaff(id)}
        done={t("removed")}
        refresh={STAFF}
      >
        {t("remove")}
      </ConfirmButton>
      {changing && <StaffRoles person={person} onClose={() => setChanging(false)} />}
    </div>
  );
}
