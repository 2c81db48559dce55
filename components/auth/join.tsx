"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { apiOf, isApiError } from "@/components/api";
import { useApiForm } from "@/components/api-form";
import { EntryHead, EntryLink } from "@/components/auth/entry";
import { Expired, isExpired } from "@/components/auth/expired";
import { secretInPath } from "@/components/auth/in-browser";
import { keepEmail } from "@/components/auth/kept-email";
import { Notice } from "@/components/auth/notice";
import { signIn, signOut } from "@/components/frame/sign-in";
import { Button } from "@/components/ui/button";
import { Form, Submit, TextField } from "@/components/ui/form";
import { SkeletonBlock } from "@/components/ui/skeleton";
import { Failure } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Joined, TeamOffer } from "@/lib/team/schema";

const api = apiOf(null);

/**
 * The invitation to a team by a mail's link: who invites, to what and as what, and then the way in. `mine` is the e-mail of whoever
 * is signed in, null for a visitor. The secret is sent in bodies, because logs have addresses.
 */
export function Join({ mine }: { mine: string | null }) {
  const t = useTranslations("join");
  const [offer, setOffer] = useState<TeamOffer>();
  const [failure, setFailure] = useState<Error | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    let isHere = true;
    api
      .post<TeamOffer>("/api/dashboard/v1/team-invitations/offer", { secret: secretInPath() })
      .then((read) => isHere && setOffer(read))
      .catch((error) => isHere && setFailure(error));
    return () => {
      isHere = false;
    };
  }, [tries]);
  function again() {
    setFailure(null);
    setTries(tries + 1);
  }
  if (isExpired(failure)) return <Over mine={mine} />;
  return (
    <>
      <EntryHead title={t("title")} />
      {failure && <Failure error={failure} onRetry={again} />}
      {!offer && !failure && <SkeletonBlock className="h-40 w-full" />}
      {offer && (
        <>
          <Offer offer={offer} />
          {mine === null ? (
            <SignUp offer={offer} />
          ) : mine === offer.email ? (
            <Accept />
          ) : (
            <Other mine={mine} email={offer.email} />
          )}
        </>
      )}
    </>
  );
}

function Offer({ offer: { seller, inviter, role, email, expires_at } }: { offer: TeamOffer }) {
  const t = useTranslations("join");
  const roles = useTranslations("roles");
  return (
    <section
      aria-label={t("title")}
      className="mb-6 grid gap-1.5 wrap-anywhere rounded-card border bg-surface px-4 py-3.5"
    >
      <p className="font-semibold">{t("offer", { inviter, seller })}</p>
      <p>{t("as", { role: roles(role) })}</p>
      <p className="text-muted">{roles(`help.${role}`)}</p>
      <p className="text-caption text-muted">
        {t("for", { email })} <Time at={expires_at} absolute />
      </p>
    </section>
  );
}

/** Opens the account whose team was joined, in a document of its own. */
const enter = ({ account }: Joined) => window.location.replace(`/${account}/home`);

const toSignIn = () => `/sign-in?next=${encodeURIComponent(window.location.pathname)}`;

/** For the invited person, who is signed in. */
function Accept() {
  const t = useTranslations("join");
  const form = useApiForm({
    schema: () => import("@/lib/team/schema").then(({ ByTeamLink }) => ByTeamLink),
    defaultValues: {},
    body: () => ({ secret: secretInPath() }),
    send: (body) => api.post<Joined>("/api/dashboard/v1/team-invitations/accept", body),
    onSuccess: enter,
    leaves: true,
  });
  if (isExpired(form.failure)) return <Over mine="" />;
  const isMember = isApiError(form.failure) && form.failure.code === "already_in_team";
  return (
    <Form form={isMember ? { ...form, failure: null } : form}>
      {isMember ? (
        <Notice tone="accent">
          <p>{t("member")}</p>
          <EntryLink href="/home">{t("home")}</EntryLink>
        </Notice>
      ) : (
        <Submit form={form} size="large" busyText={t("accepting")} className="!justify-self-stretch">
          {t("accept")}
        </Submit>
      )}
    </Form>
  );
}

/** For a visitor: a new sign-in, or the one that they have. */
function SignUp({ offer: { email } }: { offer: TeamOffer }) {
  const t = useTranslations("join");
  const form = useApiForm({
    schema: () => import("@/lib/team/schema").then(({ JoinBody }) => JoinBody),
    defaultValues: { name: "", password: "" },
    body: (values) => ({
      ...values,
      secret: secretInPath(),
      locale: document.documentElement.lang as "pt-BR" | "en",
    }),
    send: (body) => api.post<Joined>("/api/dashboard/v1/team-invitations/sign-up", body),
    async onSuccess(joined, { password }) {
      if (!(await signIn({ email, password }))) return enter(joined);
      keepEmail(email);
      window.location.replace("/sign-in?created=1");
    },
    leaves: true,
  });
  if (isExpired(form.failure)) return <Over mine={null} />;
  const isTaken = isApiError(form.failure) && form.failure.code === "email_taken";
  const shown = isTaken ? { ...form, failure: null } : form;
  const signInLink = (
    <a
      href="/sign-in"
      onClick={(event) => {
        event.preventDefault();
        keepEmail(email);
        window.location.assign(toSignIn()); // the server renders this page without the secret
      }}
      className="font-medium text-accent underline underline-offset-4"
    >
      {t("signIn")}
    </a>
  );
  return (
    <Form form={shown}>
      <h2 className="font-semibold">{t("new")}</h2>
      <div role="alert" className="empty:hidden">
        {isTaken && <Notice tone="bad">{t("taken")}</Notice>}
      </div>
      <TextField
        form={form}
        name="name"
        autoComplete="name"
        label={t("name")}
        fault={t("nameFault")}
        className="!h-11"
      />
      <TextField
        form={form}
        name="password"
        type="password"
        autoComplete="new-password"
        label={t("password")}
        help={t("passwordHelp")}
        fault={t("passwordFault")}
        className="!h-11"
      />
      <Submit form={shown} size="large" busyText={t("creating")} className="!justify-self-stretch">
        {t("create")}
      </Submit>
      <p className="text-muted">
        {t("haveAccess")} {signInLink}
      </p>
    </Form>
  );
}

/** For somebody else who is signed in. */
function Other({ mine, email }: { mine: string; email: string }) {
  const t = useTranslations("join");
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  async function leave() {
    setState("busy");
    await signOut().then(
      () => window.location.reload(),
      () => setState("failed"),
    );
  }
  return (
    <div className="grid gap-4">
      <Notice tone="warn">
        <p className="wrap-anywhere">{t("other", { mine, email })}</p>
        <p>{t("otherHelp")}</p>
      </Notice>
      <div role="alert" className="empty:hidden">
        {state === "failed" && <Notice tone="bad">{t("signOutFailed")}</Notice>}
      </div>
      <Button look="primary" size="large" busy={state === "busy"} onClick={leave}>
        {t("signOut")}
      </Button>
    </div>
  );
}

/** `mine` is as in `Join`: whoever is signed in goes on to their own account. */
function Over({ mine }: { mine: string | null }) {
  const t = useTranslations("join");
  return <Expired text={t("expired")} {...(mine !== null && { next: { href: "/home", label: t("toHome") } })} />;
}
