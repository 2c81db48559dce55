"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { FieldsSkeleton } from "@/components/settings/skeleton";
import { SettingsHead } from "@/components/settings/tabs";
import { teamQuery } from "@/components/team/query";
import { RolesTable } from "@/components/team/roles";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import type { Member, Team, TeamInvitation } from "@/lib/team/schema";

const InvitePerson = lazyWindow(() => import("@/components/team/invite").then((module) => module.InvitePerson));
const ChangeRole = lazyWindow(() => import("@/components/team/change-role").then((module) => module.ChangeRole));

/** Who works in the account, who is invited to, and what each role may do. */
export function TeamPage() {
  const result = useQuery(teamQuery(useApi().account));
  return (
    <>
      <SettingsHead />
      <Loaded result={result} skeleton={<FieldsSkeleton />}>
        {(team) => <Known {...team} />}
      </Loaded>
    </>
  );
}

const row =
  "grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-2 border-t py-4 first:border-t-0 md:grid-cols-[minmax(0,1.4fr)_minmax(0,1.1fr)_minmax(0,1fr)] md:items-center";

function Known({ members, invitations }: Team) {
  const t = useTranslations("team");
  const mayInvite = useMay("team:write");
  const [inviting, setInviting] = useState(false);
  const owners = members.filter(({ role }) => role === "owner");
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <Section
        className="!border-t-0 !pt-0"
        title={t("members")}
        aside={
          mayInvite && (
            <Button look="primary" onClick={() => setInviting(true)}>
              <Plus aria-hidden="true" />
              {t("invite")}
            </Button>
          )
        }
      >
        <ul>
          {members.map((member) => (
            <MemberRow key={member.id} member={member} isOnlyOwner={member.role === "owner" && owners.length === 1} />
          ))}
        </ul>
      </Section>
      <Section title={t("invitations")}>
        {invitations.length === 0 && <p className="text-muted">{t("noInvitations")}</p>}
        <ul>
          {invitations.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} />
          ))}
        </ul>
      </Section>
      <RolesTable />
      {inviting && <InvitePerson onClose={() => setInviting(false)} />}
    </div>
  );
}

function MemberRow({ member, isOnlyOwner }: { member: Member; isOnlyOwner: boolean }) {
  const t = useTranslations("team");
  const roles = useTranslations("roles");
  const { name, email, role, joined_at, has_second_factor, is_me } = member;
  return (
    <li className={row}>
      <div className="grid min-w-0">
        <h3 className="truncate font-semibold">
          {name}
          {is_me && <span className="ml-2 font-normal text-muted">({t("you")})</span>}
        </h3>
        <p className="truncate text-caption text-muted">{email}</p>
      </div>
      <div className="grid min-w-0 gap-0.5">
        <p>
          {roles(role)}{" "}
          <span className="text-caption text-muted">
            · {t("since")} <Time at={joined_at} real />
          </span>
        </p>
        <p className="flex items-center gap-1.5 text-caption text-muted">
          {has_second_factor && <ShieldCheck aria-hidden="true" className="size-4 text-good" />}
          {t(has_second_factor ? "secondFactor" : "noSecondFactor")}
        </p>
      </div>
      <MemberActions member={member} isOnlyOwner={isOnlyOwner} />
    </li>
  );
}

function MemberActions({ member, isOnlyOwner }: { member: Member; isOnlyOwner: boolean }) {
  const t = useTranslations("team");
  const { role: mine, account } = useSession();
  const api = useApi();
  const [changing, setChanging] = useState(false);
  const mayWrite = useMay("team:write");
  const { id, name, role, is_me } = member;
  const mayTouch = mayWrite && (role !== "owner" || mine === "owner") && !isOnlyOwner;
  const isOwner = role === "owner";
  return (
    <div className="flex flex-wrap gap-2 md:justify-end">
      {mayTouch && (
        <Button look="quiet" size="small" aria-label={t("changeNamed", { name })} onClick={() => setChanging(true)}>
          {t("change")}
        </Button>
      )}
      {mayTouch && !is_me && (
        <ConfirmButton
          look="quiet"
          size="small"
          aria-label={t("removeNamed", { name })}
          title={t("removeNamed", { name })}
          help={t(isOwner ? "removeOwnerHelp" : "removeHelp", { name })}
          action={t(isOwner ? "askRemoval" : "removeNow")}
          act={() => api.delete(`/api/dashboard/v1/team/members/${id}`)}
          done={t(isOwner ? "asked" : "removed")}
          refresh={[api.account]}
        >
          {t("remove")}
        </ConfirmButton>
      )}
      {is_me && !isOnlyOwner && (
        <ConfirmButton
          look="quiet"
          size="small"
          title={t("leaveTitle", { account: account.name })}
          help={t("leaveHelp")}
          action={t("leave")}
          act={() => api.post("/api/dashboard/v1/team/leave")}
          done={t("left")}
          refresh={["left"]} // whoever left may read nothing more of this account
          onDone={() => window.location.assign("/sign-in")}
          leaves
        >
          {t("leave")}
        </ConfirmButton>
      )}
      {is_me && isOnlyOwner && <p className="max-w-[34ch] text-caption text-muted">{t("onlyOwner")}</p>}
      {changing && <ChangeRole member={member} onClose={() => setChanging(false)} />}
    </div>
  );
}

function InvitationRow({ invitation }: { invitation: TeamInvitation }) {
  const t = useTranslations("team");
  const roles = useTranslations("roles");
  const api = useApi();
  const mayCancel = useMay("team:write");
  const { role: mine } = useSession();
  const { id, email, role, invited_by, expires_at, is_over } = invitation;
  return (
    <li className={row}>
      <div className="grid min-w-0">
        <h3 className="truncate font-semibold">{email}</h3>
        <p className="truncate text-caption text-muted">{t("invitedBy", { name: invited_by })}</p>
      </div>
      <div className="grid min-w-0 gap-0.5">
        <p>{roles(role)}</p>
        <p className={is_over ? "text-caption text-warn" : "text-caption text-muted"}>
          {is_over ? (
            t("over")
          ) : (
            <>
              {t("opensUntil")} <Time at={expires_at} absolute />
            </>
          )}
        </p>
      </div>
      {mayCancel && (role !== "owner" || mine === "owner") && (
        <ConfirmButton
          look="quiet"
          size="small"
          className="justify-self-start md:justify-self-end"
          aria-label={t("cancelNamed", { email })}
          title={t("cancelNamed", { email })}
          help={t("cancelHelp")}
          action={t("cancel")}
          act={() => api.delete(`/api/dashboard/v1/team/invitations/${id}`)}
          done={t("cancelled")}
          refresh={teamQuery(api.account).queryKey}
        >
          {t("cancel")}
        </ConfirmButton>
      )}
    </li>
  );
}
