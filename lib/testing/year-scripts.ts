import { randomFrom } from "@/lib/testing/random";

type Terms = Record<"cents" | "days" | "advance" | "grace" | "retries", number>;
/** `shares` are basis points of the net, by recipient. */
export type Plan = Terms & { method: Method; shares: Readonly<Record<string, number>> };
export type Plans = Readonly<Record<string, Plan>>;
export type Method = "pix" | "card" | "debit";
/** Approves, refuses for now, refuses for good. */
export type Card = "good" | "soft" | "hard";
type Asked = "pause" | "resume" | "cancel" | "cancel at end" | "resend" | "change" | "card";
export type Verb = Asked | "pay" | "pay old" | "funds" | "end mandate";
export type Action = readonly [day: number, verb: Verb, what?: string | number];
/** `card` is that of the first charge. */
export type Script = { plan: string; enrols: number; card?: Card; actions: readonly Action[] };

/** Three periods by Pix and by card, and a week by Pix Automático, whose other periods are no number of days. */
export const plans: Plans = {
  "pix 7": { method: "pix", cents: 1_337, days: 7, advance: 2, grace: 4, retries: 1, shares: { ana: 1_250 } },
  "pix 30": { method: "pix", cents: 4_850, days: 30, advance: 5, grace: 9, retries: 3, shares: {} },
  "pix 31": {
    method: "pix",
    cents: 9_999,
    days: 31,
    advance: 0,
    grace: 0,
    retries: 0,
    shares: { ana: 3_333, bia: 1_005 },
  },
  "card 7": { method: "card", cents: 1_499, days: 7, advance: 1, grace: 0, retries: 3, shares: { bia: 2_501 } },
  "card 30": {
    method: "card",
    cents: 5_905,
    days: 30,
    advance: 5,
    grace: 3,
    retries: 3,
    shares: { ana: 777, bia: 1_111 },
  },
  "debit 7": { method: "debit", cents: 1_990, days: 7, advance: 3, grace: 2, retries: 3, shares: { ana: 1_250 } },
  "debit 7 plus": { method: "debit", cents: 2_499, days: 7, advance: 0, grace: 0, retries: 1, shares: { bia: 333 } },
  "card 31": { method: "card", cents: 12_345, days: 31, advance: 10, grace: 5, retries: 1, shares: {} },
};

/** How many days a year has here. */
export const YEAR = 400;

/** The same on every so many days, from a day on. */
const every = (step: number, from: number, verb: Verb, until = YEAR): Action[] =>
  Array.from({ length: Math.ceil((until - from) / step) }, (_, place) => [from + place * step, verb]);

/** Twenty-eight people, each with a year that differs from all others. */
export const people: Record<string, Script> = {
  "pays two days ahead": { plan: "pix 30", enrols: 0, actions: [[0, "pay"], ...every(30, 28, "pay")] },
  "pays a day late": { plan: "pix 30", enrols: 1, actions: [[1, "pay"], ...every(30, 32, "pay")] },
  "pays each week": { plan: "pix 7", enrols: 0, actions: [[0, "pay"], ...every(7, 6, "pay")] },
  "pays each week three days late": { plan: "pix 7", enrols: 0, actions: [[0, "pay"], ...every(7, 10, "pay")] },
  "pays first after two days, and later on the day": {
    ...{ plan: "pix 31", enrols: 2 },
    actions: [[2, "pay"], ...every(31, 33, "pay")],
  },
  "activates later than enrolling": { plan: "pix 30", enrols: 3, actions: [[8, "pay"], ...every(30, 36, "pay")] },
  "never pays at all": {
    plan: "pix 31",
    enrols: 5,
    actions: [
      [90, "pay"],
      [91, "resend"],
    ],
  },
  "never pays again": {
    plan: "pix 30",
    enrols: 5,
    actions: [
      [5, "pay"],
      [200, "resume"],
      [260, "resend"],
    ],
  },
  "is suspended, asks for a code, and comes back": {
    ...{ plan: "pix 7", enrols: 4 },
    actions: [[4, "pay"], ...every(7, 10, "pay", 50), [80, "resend"], [81, "pay"], ...every(7, 88, "pay")],
  },
  "pays codes that were replaced, some twice": {
    ...{ plan: "pix 30", enrols: 2 },
    actions: [
      ...([
        [2, "resend"],
        [3, "pay old"],
        [3, "pay old"],
        [33, "resend"],
        [34, "pay"],
        [34, "pay old"],
      ] as const),
      ...([
        [64, "resend"],
        [65, "pay old"],
        [100, "pay"],
        [140, "pay old"],
      ] as const),
      ...every(30, 152, "pay"),
    ],
  },
  "pauses, and resumes when asked to or by itself": {
    ...{ plan: "pix 30", enrols: 0 },
    actions: [
      ...([
        [0, "pay"],
        [10, "pause"],
        [50, "resume"],
        [66, "pay"],
        [97, "pause", 120],
        [99, "pay old"],
      ] as const),
      ...([
        [150, "pay"],
        [178, "pay"],
        [190, "pause", 230],
        [215, "resume"],
        [216, "resume"],
      ] as const),
      ...every(10, 230, "pay"),
    ],
  },
  "pauses while overdue": {
    ...{ plan: "pix 7", enrols: 1 },
    actions: [[1, "pay"], [9, "pause"], [30, "resume"], [31, "pay"], ...every(7, 36, "pay", 120), [130, "pause"]],
  },
  "moves up and down": {
    ...{ plan: "pix 30", enrols: 0 },
    actions: [
      ...([
        [0, "pay"],
        [12, "change", "pix 31"],
        [12, "change", "pix 7"],
        [13, "pay"],
        [30, "pay"],
      ] as const),
      ...([
        [40, "change", "pix 30"],
        [61, "pay"],
        [70, "change", "pix 7"],
        [71, "pay"],
        [89, "pay"],
      ] as const),
      ...([
        [92, "change", "pix 30"],
        [93, "change", "pix 31"],
        [94, "pay"],
      ] as const),
      ...every(31, 98, "pay"),
    ],
  },
  "asks to move up and does not pay for it": {
    ...{ plan: "pix 7", enrols: 6 },
    actions: [
      [6, "pay"],
      [7, "change", "pix 31"],
      [12, "pay"],
      [14, "change", "pix 31"],
      [20, "pay old"],
      ...every(7, 26, "pay"),
    ],
  },
  "moves down, and is paused before it counts": {
    ...{ plan: "pix 31", enrols: 3 },
    actions: [[3, "pay"], [9, "change", "pix 30"], [20, "pause"], [45, "resume"], ...every(15, 59, "pay")],
  },
  "cancels at once, and pays afterwards": {
    ...{ plan: "pix 30", enrols: 8 },
    actions: [
      [8, "pay"],
      [37, "cancel"],
      [40, "pay old"],
      [41, "cancel"],
    ],
  },
  "cancels at the end of what is paid": {
    ...{ plan: "pix 7", enrols: 7 },
    actions: [[7, "pay"], ...every(7, 13, "pay", 100), [101, "cancel at end"], [102, "cancel at end"], [102, "resend"]],
  },
  "authorises debits": { plan: "debit 7", enrols: 1, actions: [[1, "pay"]] },
  "has no money for debits at times": {
    ...{ plan: "debit 7", enrols: 2 },
    actions: [
      ...([
        [3, "pay"],
        [15, "funds", "none"],
        [19, "funds", "enough"],
        [40, "funds", "none"],
        [47, "pay"],
        [60, "resend"],
        [61, "pay old"],
        [90, "resend"],
      ] as const),
      ...([
        [91, "pay"],
        [92, "funds", "enough"],
        [120, "change", "debit 7 plus"],
        [121, "pay"],
        [150, "funds", "none"],
        [170, "funds", "enough"],
      ] as const),
      ...([
        [171, "pay"],
        [200, "pause", 220],
        [240, "change", "debit 7"],
        [300, "cancel at end"],
      ] as const),
    ],
  },
  "ends the mandate, and goes on by codes": {
    ...{ plan: "debit 7 plus", enrols: 4 },
    actions: [
      [4, "pay"],
      [30, "end mandate"],
      [33, "end mandate"],
      [34, "pause"],
      [50, "resume"],
      ...every(7, 51, "pay"),
    ],
  },
  "pays another code than the one that authorises": {
    ...{ plan: "debit 7", enrols: 5 },
    actions: [[5, "resend"], [6, "pay"], ...every(7, 12, "pay", 50), [51, "pay old"], [120, "cancel"]],
  },
  "has a good card": { plan: "card 30", enrols: 0, actions: [] },
  "has a card that is empty each time, and is replaced": {
    ...{ plan: "card 7", enrols: 3 },
    actions: [
      [20, "card", "soft"],
      [33, "card", "good"],
      [100, "card", "soft"],
      [140, "card", "soft"],
      [142, "card", "good"],
    ],
  },
  "has a stolen card, and pays by Pix": {
    ...{ plan: "card 31", enrols: 4 },
    actions: [
      [10, "card", "hard"],
      [36, "pay"],
      [70, "pay"],
      [75, "card", "good"],
      [150, "card", "soft"],
      [300, "resend"],
      [301, "pay"],
    ],
  },
  "goes up the whole ladder, twice": {
    ...{ plan: "card 30", enrols: 9 },
    actions: [
      [12, "card", "soft"],
      [58, "card", "good"],
      [120, "card", "soft"],
      [165, "resend"],
      [170, "pay old"],
      [171, "card", "good"],
    ],
  },
  "moves up and down by card": {
    ...{ plan: "card 30", enrols: 0 },
    actions: [
      ...([
        [5, "change", "card 31"],
        [40, "change", "card 30"],
        [100, "card", "soft"],
        [101, "change", "card 7"],
      ] as const),
      ...([
        [102, "card", "good"],
        [103, "change", "card 7"],
        [200, "change", "card 31"],
        [300, "cancel at end"],
      ] as const),
    ],
  },
  "has a first card that is refused": {
    plan: "card 31",
    enrols: 11,
    card: "soft",
    actions: [
      [12, "card", "good"],
      [13, "cancel"],
    ],
  },
  "pauses and cancels by card": {
    ...{ plan: "card 7", enrols: 10 },
    actions: [
      [40, "pause"],
      [75, "resume"],
      [100, "card", "hard"],
      [105, "pause", 110],
      [112, "pay"],
      [113, "cancel"],
      [114, "pay old"],
    ],
  },
};

const verbs: readonly Verb[] = [
  ...(["pay", "pay", "pay", "pay", "pay", "pay old", "pause", "resume", "resume", "cancel at end"] as const),
  ...(["resend", "resend", "change", "change", "change"] as const),
];
const own: Readonly<Record<Method, readonly Verb[]>> = {
  pix: [],
  card: ["card", "card", "card"],
  debit: ["funds", "funds", "funds", "end mandate"],
};

/** So many people who do anything at any time. The same seed makes the same people. */
export function randomPeople(seed: number, count: number, until: number): Record<string, Script> {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]) => list[below(list.length)] as T;
  const cards: readonly Card[] = ["good", "good", "soft", "hard"];
  function person(): Script {
    const plan = oneOf(Object.keys(plans));
    const method = plans[plan]?.method ?? "pix";
    const likely = [...verbs, ...own[method]];
    const likes = Object.keys(plans).filter((name) => plans[name]?.method === method);
    const enrols = below(20);
    const actions: Action[] = [[enrols, "pay"]];
    for (let day = enrols; day < until; day += below(method === "card" ? 12 : 5)) {
      const verb = random() < 0.01 ? "cancel" : oneOf(likely);
      if (verb === "change") actions.push([day, verb, oneOf(likes)]);
      else if (verb === "card") actions.push([day, verb, oneOf(cards)]);
      else if (verb === "funds") actions.push([day, verb, oneOf(["enough", "none"])]);
      else if (verb === "pause" && random() < 0.5) actions.push([day, verb, day + 1 + below(20)]);
      else actions.push([day, verb]);
    }
    return { plan, enrols, actions };
  }
  return Object.fromEntries(
    Array.from({ length: count }, (_, place) => {
      const script = person();
      return [`${place} ${JSON.stringify(script)}`, script];
    }),
  );
}
