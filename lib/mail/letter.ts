import { line, nameIn } from "@/lib/mail/clean";
import type { ContentOf, MailContent, Template } from "@/lib/mail/templates";
import { type Values, type Words, wordsIn } from "@/lib/mail/words";
import { type FeeField, type MethodName, methods, methodsThat } from "@/lib/methods/methods";
import type { Locale } from "@/messages";

type Link = { label: string; url: string };

/** What a mail says, whatever form it takes. Each text is one line; `url`s are pages of ours. */
export type Letter = {
  subject: string;
  preheader: string;
  title: string;
  paragraphs: string[];
  facts: [label: string, value: string][];
  button: Link | null;
  second: { text: string; link: Link } | null;
  /** Why the reader gets it. */
  why: string;
};

/** The parts of a letter that differ beyond their texts: the names and values that the texts need, and what follows. */
type Parts = {
  names?: Record<string, string>;
  values?: Values;
  greets?: string;
  facts?: Letter["facts"];
  url?: string;
  second?: (words: Words) => Letter["second"];
};

type Tables = { [T in Template]: (content: ContentOf<T>, words: Words) => Parts };

type Charge = Omit<ContentOf<"charge_due">, "template">;

const aboutCharge = (
  { seller, plan, name, amount, dueDay, isDueToday, url, ...charge }: Charge,
  words: Words,
): Parts => {
  const { method, notice, isLast, codeDay, suspendedOn, triedOn, lastDay, isCancelled } = charge;
  const values = {
    ...{ amount: words.money(amount), day: words.day(dueDay), when: isDueToday ? "today" : "other" },
    ...{
      method: method ?? "other",
      notice,
      last: yesOrNo(isLast),
      code: yesOrNo(codeDay),
      codeDay: dayIn(codeDay, words),
    },
    ...{ suspends: yesOrNo(suspendedOn), suspendedOn: dayIn(suspendedOn, words) },
    ...{ tries: yesOrNo(triedOn), triedOn: dayIn(triedOn, words), lastDay: dayIn(lastDay, words) },
    standing: isCancelled ? "cancelled" : lastDay ? "ending" : "going",
  };
  return {
    names: { seller, plan },
    values,
    greets: name,
    facts: [
      [words.label("chargedBy"), nameIn(seller)],
      ...factOf(words.label("product"), charge.product && nameIn(charge.product)),
      [words.label("plan"), nameIn(plan)],
      [words.label("amount"), words.money(amount)],
      [words.label("due"), words.day(dueDay)],
      ...factOf(words.label("codeDay"), codeDay && words.fill(words.texts.untilEnd, { day: words.day(codeDay) })),
      ...factOf(words.label("nextCharge"), charge.nextDay && words.day(charge.nextDay)),
      ...factOf(words.label("lastDay"), lastDay && words.day(lastDay)),
    ],
    url,
    second: ({ texts, fill }) =>
      charge.payerUrl === null
        ? null
        : { text: fill(texts.ofPayer.text, values), link: { label: texts.ofPayer.link, url: charge.payerUrl } },
  };
};

const yesOrNo = (value: unknown) => (value ? "yes" : "no");
const dayIn = (day: string | null, words: Words) => (day === null ? "" : words.day(day));

type End = Pick<ContentOf<"subscription_ending">, "seller" | "plan" | "name" | "product" | "dropped" | "url">;

const aboutEnd = (
  { seller, plan, name, product, dropped, url }: End,
  by: string,
  lastDay: string | null,
  words: Words,
): Parts => ({
  names: { seller, plan },
  values: {
    ...{ by, lastDay: dayIn(lastDay, words) },
    ...{ drops: yesOrNo(dropped), dropped: dropped === null ? "" : words.money(dropped) },
  },
  greets: name,
  facts: [
    [words.label("chargedBy"), nameIn(seller)],
    ...factOf(words.label("product"), product && nameIn(product)),
    [words.label("plan"), nameIn(plan)],
    ...factOf(words.label("lastDay"), lastDay && words.day(lastDay)),
  ],
  url,
});

const factOf = (label: string, value: string | null): Letter["facts"] => (value === null ? [] : [[label, value]]);

type Conditions = Omit<ContentOf<"account_approved">, "template">;

type AboutWithdrawal = Pick<ContentOf<"withdrawal_asked">, "seller" | "amount" | "owner" | "at" | "url">;

const aboutWithdrawal = ({ seller, amount, owner, at, url }: AboutWithdrawal, words: Words) => ({
  names: { seller, owner },
  values: { amount: words.money(amount) },
  facts: [
    [words.label("requestedBy"), nameIn(seller)],
    [words.label("receivedBy"), nameIn(owner)],
    [words.label("amount"), words.money(amount)],
    [words.label("at"), words.instant(at)],
  ] as [string, string][],
  url,
});

const aboutConditions = ({ seller, features, url, ...terms }: Conditions, words: Words): Parts => {
  const { refundFee, chargebackFee, cardSettlementDays: days, storageLimitMb: mb, approvalAbove: above } = terms;
  const { inText, cardMoney, storage } = words.texts;
  const sold = methodsThat(({ feature }) => feature === null || features.includes(feature));
  const ofMethod = (name: MethodName): Letter["facts"] => [
    ...factOf(words.methods[name].fee, feeIn(terms[methods[name].fee.field], words)),
    ...factOf(words.label("cardMoney"), name === "card" && days !== null ? words.fill(cardMoney, { days }) : null),
  ];
  return {
    names: { seller },
    facts: [
      ...sold.flatMap(ofMethod),
      ...factOf(
        words.label("refundFee"),
        features.includes("refunds") && refundFee !== null ? words.money(refundFee) : null,
      ),
      ...factOf(
        words.label("chargebackFee"),
        features.includes("cards") && chargebackFee !== null ? words.money(chargebackFee) : null,
      ),
      ...(features.includes("cash_out") ? WITHDRAWAL_TERMS : []).flatMap((name) =>
        factOf(words.label(name), terms[name] === null ? null : words.money(terms[name] ?? 0)),
      ),
      [words.label("features"), [words.methods.pix.inText, ...features.map((name) => inText[name])].join(", ")],
      ...factOf(words.label("storage"), mb === null ? null : words.fill(storage, { mb })),
      ...factOf(words.label("approvalAbove"), above === null ? null : words.money(above)),
    ],
    url,
  };
};

const WITHDRAWAL_TERMS = [
  "withdrawalFee",
  "withdrawalLimit",
  "withdrawalDayLimit",
  "withdrawalNightLimit",
  "newKeyLimit",
] as const;

const feeIn = (of: Conditions[FeeField], words: Words) => {
  if (!of) return null;
  const { basisPoints, fixed, minimum } = of;
  const fee = [words.percent(basisPoints), ...(fixed > 0 ? [words.money(fixed)] : [])].join(" + ");
  return minimum > 0 ? words.fill(words.texts.atLeast, { fee, minimum: words.money(minimum) }) : fee;
};

type Refund = Pick<ContentOf<"refund_failed">, "name" | "what" | "amount" | "url">;

const aboutRefund = ({ name, what, amount, url }: Refund, words: Words) => ({
  values: { amount: words.money(amount) },
  facts: [
    ...factOf(words.label("client"), name && nameIn(name)),
    ...factOf(words.label("sold"), what && nameIn(what)),
    [words.label("amount"), words.money(amount)],
  ] as Letter["facts"],
  url,
});

function aboutDispute({ deadline, ...dispute }: Refund & { deadline: string }, words: Words) {
  const { values, facts, url } = aboutRefund(dispute, words);
  const until = words.instant(deadline);
  return {
    values: { ...values, until },
    facts: [...facts, [words.label("defendUntil"), until]] as Letter["facts"],
    url,
  };
}

/** Where money goes back to: by a code it came from an account, and otherwise from a card. */
const backTo = (method: MethodName) => (methods[method].byCode ? "account" : "card");

/** The longest explanation of a refusal that a mail holds; all of it is on the refund's page. */
const LONGEST_REASON = 500;

/** What each template shows of its content; the texts are in messages/<language>/mail.json. */
const parts: Tables = {
  split_invited: ({ seller, sellerEmail, plan, amount, periodicityDays: days, percentage, url }, words) => ({
    names: { seller, plan },
    values: { percentage: words.percent(percentage) },
    facts: [
      [words.label("seller"), nameIn(seller)],
      [words.label("sellerEmail"), line(sellerEmail)],
      [words.label("plan"), nameIn(plan)],
      [words.label("amount"), `${words.money(amount)} ${words.fill(words.texts.period, { days })}`],
      [words.label("share"), words.percent(percentage)],
    ],
    url,
  }),
  split_accepted: ({ recipient, plan, product, percentage, url }, words) => ({
    names: { recipient, plan },
    values: { percentage: words.percent(percentage) },
    facts: [
      [words.label("recipient"), nameIn(recipient)],
      ...factOf(words.label("product"), product && nameIn(product)),
      [words.label("plan"), nameIn(plan)],
      [words.label("share"), words.percent(percentage)],
    ],
    url,
  }),
  split_cancelled: ({ seller, plan }) => ({ names: { seller, plan } }),
  charge_due: aboutCharge,
  charge_overdue: aboutCharge,
  charge_paid: aboutCharge,
  card_failed: aboutCharge,
  card_expiring: ({ seller, plan, name, last4, expiresOn, url }, words) => ({
    names: { seller, plan },
    values: { last4, day: words.day(expiresOn) },
    greets: name,
    facts: [
      [words.label("chargedBy"), nameIn(seller)],
      [words.label("plan"), nameIn(plan)],
      [words.label("card"), words.fill(words.texts.cardNamed, { last4 })],
      [words.label("expiresOn"), words.day(expiresOn)],
    ],
    url,
  }),
  subscription_ending: ({ by, lastDay, ...end }, words) => aboutEnd(end, by, lastDay, words),
  subscription_cancelled: ({ by, ...end }, words) => aboutEnd(end, by ?? "other", null, words),
  subscription_suspended: aboutCharge,
  cancelled_by_payer: ({ name, plan, product, amount, lastDay, url }, words) => ({
    names: { name, plan },
    values: { ends: yesOrNo(lastDay), lastDay: dayIn(lastDay, words) },
    facts: [
      [words.label("subscriber"), nameIn(name)],
      ...factOf(words.label("product"), product && nameIn(product)),
      [words.label("plan"), nameIn(plan)],
      [words.label("amount"), words.money(amount)],
      ...factOf(words.label("lastDay"), lastDay && words.day(lastDay)),
    ],
    url,
  }),
  suspensions_of_day: ({ count, name, plan, day, url }, words) => ({
    names: { name, plan },
    values: { count, day: words.day(day) },
    url,
  }),
  link_paid: ({ seller, name, what, amount, method, at, url }, words) => ({
    names: { seller },
    values: { amount: words.money(amount) },
    greets: name,
    facts: [
      [words.label("chargedBy"), nameIn(seller)],
      [words.label("what"), nameIn(what)],
      [words.label("amount"), words.money(amount)],
      [words.label("method"), words.methods[method].name],
      [words.label("at"), words.instant(at)],
    ],
    url,
  }),
  link_oversold: ({ what, most, count, url }, words) => ({
    names: { what },
    values: { most, above: count - most },
    facts: [
      [words.label("link"), nameIn(what)],
      [words.label("paidTimes"), String(count)],
      [words.label("maxPayments"), String(most)],
    ],
    url,
  }),
  payer_refunded: ({ seller, name, what, amount, paid, at, method, last4, url }, words) => ({
    names: { seller },
    values: {
      ...{ amount: words.money(amount), paid: words.money(paid) },
      ...{ part: yesOrNo(amount < paid), back: backTo(method) },
    },
    ...(name !== null && { greets: name }),
    facts: [
      [words.label("chargedBy"), nameIn(seller)],
      [words.label("what"), nameIn(what)],
      [words.label("refunded"), words.money(amount)],
      ...factOf(words.label("paid"), amount < paid ? words.money(paid) : null),
      [words.label("method"), words.methods[method].name],
      ...factOf(words.label("card"), last4 && words.fill(words.texts.cardNamed, { last4 })),
      [words.label("at"), words.instant(at)],
    ],
    ...(url !== null && { url }),
  }),
  refund_requests_of_day: ({ count, amount, by, who, day, url }, words) => ({
    names: { who: who ?? "" },
    values: { count, amount: words.money(amount), by: who === null ? "other" : by, day: words.day(day) },
    url,
  }),
  refund_rejected: ({ category, reason, ...refund }, words) => {
    const { facts, ...about } = aboutRefund(refund, words);
    return {
      ...about,
      facts: [
        ...facts,
        [words.label("category"), words.rejections[category]],
        [words.label("explanation"), nameIn(reason, LONGEST_REASON)],
      ],
    };
  },
  refund_failed: aboutRefund,
  refund_completed: ({ fee, method, ...refund }, words) => {
    const { values, facts, url } = aboutRefund(refund, words);
    return {
      values: { ...values, back: backTo(method) },
      facts: [...facts, [words.label("refundFee"), words.money(fee)]],
      url,
    };
  },
  dispute_opened: aboutDispute,
  dispute_reminder: ({ hours, ...dispute }, words) => {
    const { values, ...about } = aboutDispute(dispute, words);
    return { ...about, values: { ...values, hours } };
  },
  dispute_ended: ({ outcome, lost, ...dispute }, words) => {
    const { values, ...about } = aboutRefund(dispute, words);
    return { ...about, values: { ...values, outcome, lost: words.money(lost) } };
  },
  withdrawal_asked: ({ fee, waits, by, who, ...withdrawal }, words) => {
    const { facts, values, ...about } = aboutWithdrawal(withdrawal, words);
    return {
      ...about,
      names: { ...about.names, who: who ?? "" },
      values: { ...values, waits: yesOrNo(waits), by: who === null ? "other" : by },
      facts: [...facts, [words.label("withdrawalFee"), words.money(fee)]],
    };
  },
  withdrawal_ended: ({ outcome, reason, ...withdrawal }, words) => {
    const { facts, values, ...about } = aboutWithdrawal(withdrawal, words);
    return {
      ...about,
      values: { ...values, outcome },
      facts: [...facts, ...factOf(words.label("explanation"), reason && nameIn(reason, LONGEST_REASON))],
    };
  },
  refund_waiting: ({ seller, amount, at, url }, words) => ({
    names: { seller },
    values: { amount: words.money(amount) },
    facts: [
      [words.label("requestedBy"), nameIn(seller)],
      [words.label("amount"), words.money(amount)],
      [words.label("at"), words.instant(at)],
    ],
    url,
  }),
  staff_moved_money: ({ act, seller, amount, reason, who, at, url }, words) => ({
    names: { seller, who: who ?? "" },
    values: { act, amount: words.money(amount), by: who === null ? "other" : "person" },
    facts: [
      [words.label("account"), nameIn(seller)],
      [words.label("amount"), words.money(amount)],
      [words.label("why"), nameIn(reason, LONGEST_REASON)],
      ...factOf(words.label("movedBy"), who && nameIn(who)),
      [words.label("at"), words.instant(at)],
    ],
    url,
  }),
  audit_published: ({ root, accounts, links, faults, at, url }, words) => ({
    values: { faults },
    facts: [
      [words.label("root"), root],
      [words.label("at"), words.instant(at)],
      [words.label("chains"), String(accounts)],
      [words.label("chainedEvents"), String(links)],
      ...(faults > 0 ? [[words.label("chainsWithFaults"), String(faults)] as [string, string]] : []),
    ],
    url,
  }),
  certificate_ending: ({ provider, days, endsAt, url }, words) => ({
    names: { provider },
    values: { days },
    facts: [
      [words.label("provider"), nameIn(provider)],
      [words.label("lastDay"), words.instant(endsAt)],
    ],
    url,
  }),
  review_waiting: ({ seller, about, url }, words) => ({
    names: { seller },
    values: { about },
    facts: [[words.label("requestedBy"), nameIn(seller)]],
    url,
  }),
  document_refused: ({ kind, reason, url }, words) => ({
    values: { kind },
    facts: [[words.label("explanation"), nameIn(reason, LONGEST_REASON)]],
    url,
  }),
  profile_decided: ({ outcome, reason, url }, words) => ({
    values: { outcome },
    facts: factOf(words.label("explanation"), reason && nameIn(reason, LONGEST_REASON)),
    url,
  }),
  account_closed: ({ seller, at }, words) => ({
    names: { seller },
    facts: [[words.label("at"), words.instant(at)]],
  }),
  confirm_address: ({ name, url }) => ({ greets: name, url }),
  reset_password: ({ url, minutes }) => ({ values: { minutes }, url }),
  password_changed: ({ name, at }, words) => ({ greets: name, facts: [[words.label("at"), words.instant(at)]] }),
  security_changed: ({ name, what, from, at }, words) => ({
    greets: name,
    values: { what },
    facts: [[words.label("at"), words.instant(at)], ...factOf(words.label("from"), from)],
  }),
  team_invited: ({ seller, inviter, role, url, until }, words) => ({
    names: { seller, inviter },
    values: { role: words.texts.roleInText[role] },
    facts: [[words.label("until"), words.instant(until)]],
    url,
  }),
  member_factor_reset: ({ name, at }, words) => ({
    names: { name },
    facts: [[words.label("at"), words.instant(at)]],
  }),
  staff_invited: ({ name, url, days }) => ({ greets: name, values: { days }, url }),
  approval_asked: ({ seller, name, kind, at, url }, words) => ({
    names: { seller, name },
    values: { kind },
    facts: [[words.label("at"), words.instant(at)]],
    url,
  }),
  address_already_known: ({ name, signInUrl, resetUrl }) => ({
    greets: name,
    url: signInUrl,
    second: ({ texts }) => ({
      text: texts.address_already_known.reset,
      link: { label: texts.address_already_known.resetLink, url: resetUrl },
    }),
  }),
  webhook_failing: ({ title, receiver, since, disabledAt, url }, words) => ({
    names: { title },
    facts: [
      [words.label("webhook"), nameIn(title)],
      [words.label("receiver"), line(receiver)],
      [words.label("since"), words.instant(since)],
      [words.label("disabledAt"), words.instant(disabledAt)],
    ],
    url,
  }),
  account_approved: aboutConditions,
  account_changed: aboutConditions,
  rail_missing: ({ seller, method, url }, words) => ({
    names: { seller },
    values: { what: method, method: method === "payout" ? "" : words.methods[method].inText },
    facts: [
      [words.label("refusedSeller"), nameIn(seller)],
      ...(method === "payout" ? [] : [[words.label("method"), words.methods[method].name] as [string, string]]),
    ],
    url,
  }),
  webhook_disabled: ({ title, receiver, since, url }, words) => ({
    names: { title },
    facts: [
      [words.label("webhook"), nameIn(title)],
      [words.label("receiver"), line(receiver)],
      [words.label("since"), words.instant(since)],
    ],
    url,
  }),
};

/** Composes a mail in a language. */
export function letterOf(content: MailContent, locale: Locale): Letter {
  const { template } = content;
  const words = wordsIn(locale);
  const show = parts[template] as (content: MailContent, words: Words) => Parts;
  const { names = {}, values = {}, greets, facts = [], url, second } = show(content, words);
  const inSubject = { ...values, ...cleaned(names, line) };
  const inBody = { ...values, ...cleaned(names, nameIn) };
  const text = (name: string) => words.of(template, name, inBody);
  const label = text("button");
  return {
    subject: line(words.of(template, "subject", inSubject) ?? ""),
    preheader: text("preheader") ?? "",
    title: text("title") ?? "",
    paragraphs: [
      greets === undefined ? undefined : words.fill(words.texts.hello, { name: nameIn(greets) }),
      text("body"),
      text("more"),
    ].filter((one) => one !== undefined),
    facts,
    button: url !== undefined && label !== undefined ? { label, url } : null,
    second: second?.(words) ?? null,
    why: text("why") ?? "",
  };
}

const cleaned = (names: Record<string, string>, clean: (text: string) => string) =>
  Object.fromEntries(Object.entries(names).map(([name, text]) => [name, clean(text)]));
