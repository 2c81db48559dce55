"use client";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { cents, useNumbers, usePeriod } from "@/components/format";
import { shareOf, usePlanName } from "@/components/splits/offer";
import { Terms } from "@/components/splits/terms";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { buttonLook } from "@/components/ui/button-look";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Money } from "@/components/ui/money";
import { PageHead, Section } from "@/components/ui/page";
import { SumTable } from "@/components/ui/sum-table";
import type { Invite } from "@/lib/subscription-splits/schema";

type Props = { secret: string; invite: Invite | undefined };

/** The invite of a mail's link: the offer with its terms, or what became of it. */
export function InvitePage({ secret, invite }: Props) {
  const [answered, setAnswered] = useState(invite);
  return (
    <div className="max-w-[560px]">
      {answered === undefined ? (
        <NotHere secret={secret} />
      ) : answered.status === "pending" ? (
        <Offer secret={secret} invite={answered} onAnswer={setAnswered} />
      ) : (
        <Answered status={answered.status} invite={answered} isNow={answered !== invite} />
      )}
    </div>
  );
}

type OfferProps = { secret: string; invite: Invite; onAnswer: (invite: Invite) => void };

function Offer({ secret, invite, onAnswer }: OfferProps) {
  const { percent } = useNumbers();
  const t = useTranslations("splits");
  const planName = usePlanName();
  const period = usePeriod();
  const { plan, percentage } = invite;
  return (
    <>
      <PageHead
        title={t("invite.offer", { seller: plan.seller.name })}
        purpose={t("invite.from", { seller: plan.seller.name, email: plan.seller.email })}
      />
      <SumTable
        caption={t("invite.calculation")}
        lines={[
          [
            t("invite.charge", { plan: planName(plan), period: period(plan) }),
            <Money key="charge" cents={cents(plan.amount)} />,
          ],
          [t("invite.part"), percent(percentage)],
        ]}
        sum={[t("invite.share"), <Money key="share" cents={shareOf(invite)} className="text-title" />]}
      />
      <p className="mt-2 mb-8 text-caption text-muted">{t("invite.before")}</p>
      <Section title={t("terms.title")}>
        <Terms invite={invite} />
      </Section>
      <Answers secret={secret} invite={invite} onAnswer={onAnswer} />
    </>
  );
}

function Answers({ secret, invite, onAnswer }: OfferProps) {
  const t = useTranslations("splits");
  const api = useApi();
  const mayAnswer = useMay("splits:write");
  const refresh = [api.account, "splits"];
  const accept = useAction({
    act: () => api.post<{ data: Invite }>("/api/dashboard/v1/invitations/accept", { secret }),
    refresh,
    onDone: ({ data }) => onAnswer(data),
  });
  const { name: seller } = invite.plan.seller;
  if (!mayAnswer) return <p className="mt-6 text-muted">{t("invite.notAllowed")}</p>;
  return (
    <div className="mt-6 flex flex-wrap gap-2">
      <Button look="primary" size="large" busy={accept.isPending} onClick={() => accept.mutate()}>
        {t("acceptNow")}
      </Button>
      <ConfirmButton
        look="quiet"
        size="large"
        title={t("rejectTitle", { seller })}
        help={t("rejectHelp")}
        action={t("reject")}
        act={() => api.post("/api/dashboard/v1/invitations/reject", { secret })}
        done={t("rejected")}
        refresh={refresh}
        onDone={() => onAnswer({ ...invite, status: "rejected" })}
      >
        {t("reject")}
      </ConfirmButton>
    </div>
  );
}

type AnsweredProps = { status: Exclude<Invite["status"], "pending">; invite: Invite; isNow: boolean };

/** What became of an invite, and the way to the others. It has the focus where a button that is gone had it. */
function Answered({ status, invite: { percentage, plan }, isNow }: AnsweredProps) {
  const { percent } = useNumbers();
  const t = useTranslations("splits.invite");
  const answer = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNow) answer.current?.focus();
  }, [isNow]);
  const values = { plan: plan.name, percentage: percent(percentage), seller: plan.seller.name };
  return (
    <div ref={answer} tabIndex={-1} className="grid justify-items-start gap-6 outline-none">
      <PageHead title={t(`${status}Title`)} purpose={t(`${status}Text`, values)} />
      <ButtonLink href="/splits">{t("open")}</ButtonLink>
    </div>
  );
}

/** Another account has answered the invite, or it is one of the other mode, to which this leads. */
function NotHere({ secret }: { secret: string }) {
  const t = useTranslations("splits.invite");
  const { account, modes } = useSession();
  const other = account.mode === "live" ? "sandbox" : "live";
  return (
    <>
      <PageHead title={t("missingTitle")} purpose={t("missingText")} />
      <a href={`/${modes[other]}/invite/${secret}`} className={buttonLook({})}>
        {t(`openIn.${other}`)}
      </a>
    </>
  );
}
