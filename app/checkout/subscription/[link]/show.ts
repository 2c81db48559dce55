import { answerPage, type PageVisit } from "@/app/checkout/[token]/answer";
import type { Shown } from "@/browser/checkout/page";
import { cancelPage, cardPage, type ShownSubscription, subscriptionPage } from "@/browser/checkout/subscription";
import { findOfPayer, type OfPayer } from "@/lib/checkout/payer-page";
import { billingMethods } from "@/lib/methods/methods";
import { readPublicKey } from "@/lib/public-keys/public-key";

/** What a payer may do on the page; the address names it (`do`), and what was done (`done`). */
export type Deed = "cancel" | "card";

/** The page of a payer's link, or of what its payer is about to do. Throws `subscription_not_found`. */
export async function showOfPayer(visit: PageVisit): Promise<Response> {
  const found = await findOfPayer(visit.token);
  const asked = new URL(visit.request.url).searchParams;
  const deed = asked.get("do");
  if ((deed === "cancel" || deed === "card") && maySee(found, deed)) return showDeed(visit, found, deed);
  return showSubscription(visit, found, noteOf(visit, asked.get("done")));
}

/** Cancelling is offered until the subscription has an end, and a card only where there is one to be changed. */
export const maySee = ({ actions, endDay, card }: OfPayer, deed: Deed): boolean =>
  deed === "cancel" ? actions.includes("cancel") && endDay === null : actions.includes("replace_card") && card !== null;

type Refused = { note?: string; status?: number };

/** The form of what the payer is about to do; `refused` is why it was not done. */
export async function showDeed(visit: PageVisit, found: OfPayer, deed: Deed, refused: Refused = {}) {
  const { words, pathOf } = visit;
  const [shown, subscription] = [shownOf(found), subscriptionOf(found)];
  const form = { self: pathOf(), action: pathOf({ do: deed }), note: refused.note ?? null };
  const content =
    deed === "cancel"
      ? cancelPage(words, shown, subscription, form)
      : cardPage(words, shown, subscription, { ...form, publicKey: (await readPublicKey(found.account)).data.key });
  return answer(visit, shown, content, refused.status);
}

/** The subscription as it stands; `note` is what was done, or why it was not. */
export function showSubscription(visit: PageVisit, found: OfPayer, note: string | null, status?: number) {
  const { words, pathOf } = visit;
  const shown = shownOf(found);
  const linkTo = (deed: Deed) => (maySee(found, deed) ? pathOf({ do: deed }) : null);
  const links = { self: pathOf(), cancel: linkTo("cancel"), card: linkTo("card") };
  return answer(visit, shown, subscriptionPage(words, shown, subscriptionOf(found), links, note), status);
}

/** The page's own address is a secret, which no other address is given. */
function answer(visit: PageVisit, shown: Shown, content: Parameters<typeof answerPage>[1]["content"], status = 200) {
  const response = answerPage(visit, { content, shown, status, main: visit.words.texts.subscription.main });
  response.headers.set("referrer-policy", "no-referrer");
  return response;
}

function noteOf({ words }: PageVisit, done: string | null): string | null {
  const { done: notes } = words.texts.subscription;
  return notes[done as keyof typeof notes] ?? null;
}

const shownOf = ({ account, planId, plan, product, amount, periodicityDays, method }: OfPayer): Shown => ({
  ...{ token: planId, seller: account.name, name: product ?? plan, description: product && plan, image: null },
  ...{ amount, periodicityDays, isTest: account.mode === "sandbox" },
  ...{ sellerImage: null, support: null }, // the page itself says whom to ask
  isInMonths: billingMethods[method].inMonths,
});

function subscriptionOf({ status, isPaused, endDay, owed, charges, planId, ...rest }: OfPayer): ShownSubscription {
  const { plan, product, method, card, nextDay, paidUntil, contact } = rest;
  const stands = isPaused ? "paused" : endDay && status === "active" ? "ending" : status;
  const pageOf = (plan: string, payment: string | null) => payment && `/checkout/${plan}?payment=${payment}`;
  return {
    ...{ status: stands, contact, plan, product, method, card, nextDay, paidUntil, endDay },
    owed: owed && { amount: owed.amount, href: pageOf(planId, owed.payment), isDue: owed.isDue && !isPaused },
    charges: charges.map(({ planId: of, payment, ...one }) => ({ ...one, href: pageOf(of, payment) })),
  };
}
