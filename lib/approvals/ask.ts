import { noteRecorded } from "@/lib/actor";
import type { TeamKind } from "@/lib/approvals/schema";
import { recordChange } from "@/lib/audit/record-change";
import { moneyScopes, roles, type Scope } from "@/lib/auth/scopes";
import type { Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { asLocale } from "@/lib/locale/of-person";
import { writeMail } from "@/lib/mail/write";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import type { Prisma } from "@/prisma/client/client";
import type { Mode, Role } from "@/prisma/client/enums";

/** After this time what nobody decided does not happen. */
export const LAPSES_AFTER_MS = DAY_MS;

/** Who may decide on each kind: whoever has these scopes, or for an owner's removal the owners alone. */
const deciderScopes: Record<TeamKind, readonly Scope[]> = {
  refund: ["refunds:write"],
  credential_scopes: ["credentials:write", ...moneyScopes], // nobody agrees to what they may not do
  owner_removal: ["team:write"],
};

/** Whether a person with this role may decide on what another one asked for. */
export const mayDecide = (kind: TeamKind, role: Role) =>
  kind === "owner_removal" ? role === "owner" : deciderScopes[kind].every((scope) => roles[role].includes(scope));

type Asked = {
  account: { id: string; name: string; mode: Mode };
  /** The live account, whose team decides. */
  liveId: string;
  kind: TeamKind;
  subjectId: string;
  /** What is done when it is approved. */
  asked: Prisma.InputJsonObject;
  askedBy: string;
};

/**
 * Lets what a person asked for wait for a second person, in the transaction of the request, and writes a mail to each who may
 * decide. Returns null where there is nobody else who may: then nothing waits.
 */
export async function askSecondPerson(tx: Tx, { account, liveId, kind, subjectId, asked, askedBy }: Asked) {
  const people = await tx.membership.findMany({ where: { accountId: liveId }, include: { user: true } });
  const others = people.filter(({ userId, role }) => userId !== askedBy && mayDecide(kind, role));
  if (others.length === 0) return null;
  const asksAgain = {
    accountId: account.id,
    kind,
    subjectId,
    askedBy,
    status: "pending",
    lapsesAt: { gt: realNow() },
  } as const;
  const earlier = await tx.approval.findFirst({ where: asksAgain });
  if (earlier) {
    noteRecorded();
    return earlier;
  }
  const id = newId();
  const lapsesAt = new Date(realNow().getTime() + LAPSES_AFTER_MS);
  const { id: accountId, name: seller, mode } = account;
  await tx.approval.create({ data: { id, accountId, kind, subjectId, asked, askedBy, lapsesAt } });
  await recordChange(tx, { accountId, subject: "approval", id, verb: "created", after: { kind, ...asked } });
  const asker = people.find(({ userId }) => userId === askedBy)?.user.name ?? "";
  for (const { user } of others) {
    await writeMail(tx, {
      intent: `approval_asked:${id}:${user.id}`,
      to: { email: user.email, locale: asLocale(user.locale) },
      ...{ mode, accountId },
      content: {
        ...{ template: "approval_asked", seller, name: asker, kind, at: realNow().toISOString() },
        url: `${env.APP_URL}/${accountId}/settings/approvals`,
      },
    });
  }
  return { id, lapsesAt };
}
