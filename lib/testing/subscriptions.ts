import { readContext } from "@/lib/accounts/read";
import { allScopes } from "@/lib/auth/scopes";
import { cycleCharge } from "@/lib/billing/card-call";
import { asSystem, forAccount, runPrepared } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { cancelDebit, cancelMandate, instructDebit, passDays, retryDebit } from "@/lib/mandates/debit-calls";
import { makeDueCalls } from "@/lib/outside/run";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { railFor } from "@/lib/rails/pix/rails";
import { advanceClocks } from "@/lib/sandbox/run";
import { enroll } from "@/lib/subscriptions/enroll";
import { readSubscription } from "@/lib/subscriptions/read";
import { replaceCard } from "@/lib/subscriptions/replace-card";
import { EnrollBody } from "@/lib/subscriptions/schema";
import { call, type Made } from "@/lib/testing/make";
import { aToken } from "@/lib/testing/shop";
import { businessNow } from "@/lib/time/clock";
import { readTimeline } from "@/lib/timeline/read";
import type { TimelineSubject } from "@/lib/timeline/schema";

/** Makes a plan of R$ 49.90 by Pix; `changes` as a seller writes them. Returns its token. */
export async function aPlan({ account }: Made, changes: object = {}, productId: string | null = null): Promise<string> {
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code", ...changes });
  return (await createPlan(account, { ...input, productId }, call())).data.token;
}

/** A person as a form sends them. */
export const somebody = (changes: object = {}) =>
  EnrollBody.parse({ name: "Ana Prado", email: "ana@example.com", document: "529.982.247-25", ...changes });

/** The account as it is now, its clock included. */
export async function nowOf(made: Made): Promise<Made> {
  const account = await readContext(made.accountId);
  if (!account) throw new Error("the account is gone");
  return { ...made, account };
}

/** Enrols somebody by Pix. Returns the subscription's token and the sale of its first charge. */
export async function enrolled(made: Made, plan: string, changes: object = {}) {
  const { account } = await nowOf(made);
  const { subscription_token: token, payment } = await enroll(account, { ...somebody(changes), planId: plan }, call());
  return { token, sale: payment.identifier ?? "" };
}

/** From where a card is given. */
export const device = { ip: "203.0.113.7", user_agent: "Mozilla/5.0", page_url: "https://loja.example/assinar" };

/** Enrols somebody by a card, which the simulator approves unless another number is given. */
export async function enrolledByCard(made: Made, plan: string, number?: string, changes: object = {}) {
  const { account } = await nowOf(made);
  const card = { token: await aToken(made, number) };
  const answer = await enroll(account, { ...somebody({ card, device, ...changes }), planId: plan }, call());
  return { token: answer.subscription_token };
}

/** Replaces the card of a subscription by one of this number. */
export async function putCard(made: Made, token: string, number: string) {
  const card = { token: await aToken(made, number) };
  return replaceCard((await nowOf(made)).account, { id: token, card, device }, call());
}

/** Pays a sale's code at the account's PSP, and completes what it pays. Returns the end-to-end id. */
export async function payCode({ account, accountId }: Made, id: string): Promise<string> {
  const sale = await saleOf(accountId, id);
  const rail = railFor(account);
  const receipt = await rail?.pay?.({ code: sale.pixCode ?? "" });
  if (!rail || !receipt) throw new Error("the account has no rail that pays");
  await completeDeposit({ provider: rail.provider, endToEndId: receipt.endToEndId });
  return receipt.endToEndId;
}

export const saleOf = (accountId: string, id: string) =>
  forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } }));

/** A subscription as the API shows it. */
export const shown = async (made: Made, token: string) =>
  (await readSubscription((await nowOf(made)).account, token)).data;

/** An active subscription: enrolled, and its first charge paid. */
export async function anActive(made: Made, plan: string, changes: object = {}): Promise<string> {
  const { token, sale } = await enrolled(made, plan, changes);
  await payCode(made, sale);
  return token;
}

/** Moves a sandbox's clock ahead and does all that falls due on the way. Without a number of days, to an instant. */
export async function advance(made: Made, to: number | Date): Promise<void> {
  const { account } = await nowOf(made);
  const target = typeof to === "number" ? new Date(businessNow(account).getTime() + to * 86_400_000) : to;
  const id = newId();
  await forAccount(made.accountId, (tx) => tx.clockAdvance.create({ data: { accountId: made.accountId, id, target } }));
  while (!(await isDone(made.accountId, id))) await advanceClocks();
}

const isDone = async (accountId: string, id: string) =>
  (await forAccount(accountId, (tx) => tx.clockAdvance.findFirst({ where: { accountId, id } })))?.doneAt !== null;

/** The types of the subscription's events, in the order in which they happened. */
export async function eventsOf({ accountId }: Made, token: string): Promise<string[]> {
  const rows = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId, subjectId: token }, orderBy: { id: "asc" } }),
  );
  return rows.map(({ type }) => type);
}

/** What the rail holds of a payment that completed nothing. */
export const unmatchedOf = (endToEndId: string) =>
  asSystem((tx) => tx.unmatchedReceipt.findMany({ where: { endToEndId } }));

/** Makes a subscription due at once, wherever its clock is. */
export const makeDue = ({ accountId }: Made, token: string) =>
  runPrepared(
    "",
    `with scope as materialized (select set_config('app.accounts', '*', true))
    update subscriptions set act_at = now() from scope where account_id = $1::uuid and id = $2::uuid`,
    [accountId, token],
  );

/** Sends one batch of the calls that charge cards on file, or that ask about debits and mandates, and asks about them. */
export const chargeCards = (accountId?: string) => makeDueCalls([cycleCharge], accountId);
export const orderDebits = (accountId?: string) => makeDueCalls(debitCalls, accountId);

const debitCalls = [instructDebit, retryDebit, cancelDebit, cancelMandate, passDays];

/** What happened around a record, newest first. */
export const timelineOf = async (made: Made, subject: TimelineSubject, id: string) =>
  (await readTimeline((await nowOf(made)).account, allScopes, subject, id)).data;
