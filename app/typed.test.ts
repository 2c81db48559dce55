import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { marked } from "@/browser/checkout/masks";
import { cardOf, faultOf, formatted } from "@/browser/fields/inputs";
import { depositBody, emptyDeposit } from "@/components/deposits/values";
import { centsOfPasted } from "@/components/ui/pasted-amount";
import { SignUpBody } from "@/lib/accounts/schema";
import { CardTokenBody } from "@/lib/card-tokens/schema";
import { CashInForm } from "@/lib/deposits/schema";
import { env } from "@/lib/env";
import { decimal } from "@/lib/money";
import { aPayer, makeLink } from "@/lib/testing/checkout";
import { type Answered, openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aCard, anOrder, aToken, someAddress } from "@/lib/testing/shop";
import { aPlan } from "@/lib/testing/subscriptions";
import { type TypedCase, typedCases } from "@/lib/testing/typed-cases";

const host = openHost(routes);
const partner = "/api/partner/v1";

let seller: Made;
let link: string;
let plan: string;

const { PARTNER_LIMIT_PER_MINUTE, TRUSTED_PROXIES } = env;
afterAll(() => Object.assign(env, { PARTNER_LIMIT_PER_MINUTE, TRUSTED_PROXIES }));

beforeAll(async () => {
  Object.assign(env, { PARTNER_LIMIT_PER_MINUTE: 100_000, TRUSTED_PROXIES: 1 });
  seller = await makeAccount();
  [link, plan] = [await makeLink(seller, { collect_address: true }), await aPlan(seller)];
});

/** A way that a text takes into the program: as what it is kept, or null where it is refused at its own field. */
type Way = (typed: string) => Promise<string | null> | string | null;

type Sale = {
  transaction: { amount: number };
  customer: Record<string, string>;
  delivery_address: Record<string, string>;
};

const post = (path: string, body: object) =>
  host.ask("POST", path, { token: seller.token, body, headers: { "x-forwarded-for": someAddress() } });

const saleOf = async (id: unknown) => {
  const { json } = await host.ask("GET", `/api/partner/v2/transactions/${id}`, { token: seller.token });
  return json.data as Sale;
};

/** Whether the answer refuses a member of this name; it refuses nothing else. */
function isRefused({ status, json }: Answered, member: string): boolean {
  if (status !== 422) return false;
  expect(Object.keys(json.errors as object).map((path) => path.split(".").at(-1))).toEqual([member]);
  return true;
}

type Stored = (sale: Sale) => string | undefined;
type Taking = { path: string; bodyOf: (typed: string) => object; member: string; stored: Stored };

/** A way through a route that makes a sale. */
const byRoute =
  ({ path, bodyOf, member, stored }: Taking): Way =>
  async (typed) => {
    const answer = await post(path, bodyOf(typed));
    if (isRefused(answer, member)) return null;
    const { identifier, idTransaction } = answer.json;
    return stored(await saleOf(identifier ?? idTransaction)) ?? "";
  };

const byCashIn = (name: string, stored: Stored): Way =>
  byRoute({
    path: `${partner}/cash-in`,
    bodyOf: (typed) => ({ amount: 1, client: { [name]: typed } }),
    member: name,
    stored,
  });

const byCard =
  (name: "email" | "phone", stored: Stored): Way =>
  async (typed) => {
    const { client, ...order } = anOrder(await aToken(seller));
    const bodyOf = () => ({ ...order, client: { ...client, [name]: typed } });
    return byRoute({ path: `${partner}/credit-card`, bodyOf, member: name, stored })(typed);
  };

/** An enrolment, and what its subscription says of the person. */
const byEnrolment =
  (name: "email" | "phone" | "document"): Way =>
  async (typed) => {
    const person = { name: "Ana", email: "ana@example.com", document: "52998224725", [name]: typed };
    const answer = await post(`${partner}/subscription-plans/${plan}/enroll`, person);
    if (isRefused(answer, name)) return null;
    const { subscription_token: id } = answer.json;
    const { json } = await host.ask("GET", `${partner}/subscriptions/${id}`, { token: seller.token });
    return (json.data as Record<string, string>)[`subscriber_${name}`] ?? "";
  };

const customer = { cpf: "52998224725", name: "Ana", email: "ana@example.com", phone: "11987654321", externaRef: "1" };
const address = {
  city: "A",
  state: "SP",
  street: "B",
  country: "BR",
  zipCode: "1",
  neighborhood: "C",
  streetNumber: "1",
};

const byOldApi = (name: "cpf" | "email" | "phone", stored: Stored): Way =>
  byRoute({
    ...{ path: "/v1/gateway/api", member: name, stored },
    bodyOf: (typed) => ({ ip: "::1", amount: 1, customer: { ...customer, address, [name]: typed } }),
  });

const delivery = {
  postal_code: "01310100",
  street: "A",
  number: "1",
  complement: "",
  district: "B",
  city: "C",
  state: "SP",
};

/** The checkout's form as a browser sends it, without its script or with what its script makes of the text. */
const byForm =
  (name: string, stored: Stored, withScript: (typed: string) => string = (typed) => typed): Way =>
  async (typed) => {
    const fields = { ...aPayer, ...delivery, method: "pix", [name]: withScript(typed) };
    const answer = await host.ask("POST", `/checkout/${link}`, {
      body: new URLSearchParams(fields).toString(),
      headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": someAddress() },
    });
    if (answer.status === 422) {
      expect(answer.text.match(/id="(\w+)"[^>]*aria-invalid/g)?.map((tag) => tag.split('"')[1])).toEqual([name]);
      return null;
    }
    const payment = new URL(answer.headers.get("location") ?? "", host.url).searchParams.get("payment");
    return stored(await saleOf(payment)) ?? "";
  };

/** The checkout's own call, which pages without ours may make. */
const byCheckoutApi =
  (name: string, stored: Stored): Way =>
  async (typed) => {
    const body = { ...aPayer, method: "pix", address: { ...delivery, [name]: typed } };
    const answer = await post(`/api/public/v1/checkout/${link}/pay`, body);
    if (isRefused(answer, name)) return null;
    return stored(await saleOf((answer.json.data as { payment: string }).payment)) ?? "";
  };

/** The dashboard's form of a new charge: what it sends, by the schema with which it checks itself. */
const byDepositForm =
  (name: "cpf" | "email" | "phone"): Way =>
  (typed) => {
    const client = { ...emptyDeposit.client, [name]: typed };
    const { data } = CashInForm.safeParse(depositBody({ ...emptyDeposit, amount: 100, withClient: true, client }));
    return data?.client?.[name] ?? null;
  };

const bySignUp =
  (name: "document" | "email"): Way =>
  (typed) => {
    const company = {
      company: "Loja",
      document: "52998224725",
      name: "Ana",
      email: "a@b.co",
      password: "uma frase longa",
    };
    return SignUpBody.safeParse({ ...company, [name]: typed }).data?.[name] ?? null;
  };

/** Tokenizing, which answers a card's last four digits only; the schema says the rest. */
const byTokenizing =
  (name: "number" | "cvv"): Way =>
  async (typed) => {
    const sent = aCard({ [name]: typed });
    const answer = await post(`${partner}/card-tokens`, sent);
    if (isRefused(answer, name)) return null;
    const { card } = CardTokenBody.parse(sent);
    expect(answer.json.data).toMatchObject({ last4: card.number.slice(-4) });
    return card[name];
  };

/** The card fields: what they show of the text, judge, and send. */
const byFields =
  (name: "number" | "cvv"): Way =>
  (typed) => {
    const shown = { ...{ number: "", holder_name: "Ana", expiry: "12/99", cvv: "" }, [name]: formatted(name, typed) };
    return faultOf(name, shown[name]) ? null : cardOf(shown)[name];
  };

/** The card fields' expiry, as the month and the year that are sent. */
const byExpiryField: Way = (typed) => {
  const shown = { number: "", holder_name: "Ana", expiry: formatted("expiry", typed), cvv: "" };
  const { expiry_month, expiry_year } = cardOf(shown);
  return faultOf("expiry", shown.expiry) ? null : `${expiry_month}/${expiry_year}`;
};

const amountOf: Stored = ({ transaction }) => transaction.amount.toFixed(2);

/** Each kind's ways, by who takes them. */
const ways: Record<keyof typeof typedCases, Record<string, Way>> = {
  phone: {
    "cash-in": byCashIn("phone", ({ customer }) => customer.phone),
    "card charge": byCard("phone", ({ customer }) => customer.phone),
    enrolment: byEnrolment("phone"),
    "old API": byOldApi("phone", ({ customer }) => customer.phone),
    checkout: byForm("phone", ({ customer }) => customer.phone),
    "checkout with its mask": byForm(
      "phone",
      ({ customer }) => customer.phone,
      (typed) => marked("phone", typed),
    ),
    "dashboard's form": byDepositForm("phone"),
  },
  document: {
    "cash-in": byCashIn("cpf", ({ customer }) => customer.document),
    enrolment: byEnrolment("document"),
    "old API": byOldApi("cpf", ({ customer }) => customer.document),
    checkout: byForm("document", ({ customer }) => customer.document),
    "checkout with its mask": byForm(
      "document",
      ({ customer }) => customer.document,
      (typed) => marked("document", typed),
    ),
    "dashboard's form": byDepositForm("cpf"),
    "sign-up": bySignUp("document"),
  },
  postal_code: {
    "checkout's API": byCheckoutApi("postal_code", ({ delivery_address }) => delivery_address.postal_code),
    checkout: byForm("postal_code", ({ delivery_address }) => delivery_address.postal_code),
    "checkout with its mask": byForm(
      "postal_code",
      ({ delivery_address }) => delivery_address.postal_code,
      (typed) => marked("postal_code", typed),
    ),
  },
  state: {
    "checkout's API": byCheckoutApi("state", ({ delivery_address }) => delivery_address.state),
    checkout: byForm("state", ({ delivery_address }) => delivery_address.state),
  },
  email: {
    "cash-in": byCashIn("email", ({ customer }) => customer.email),
    "card charge": byCard("email", ({ customer }) => customer.email),
    enrolment: byEnrolment("email"),
    "old API": byOldApi("email", ({ customer }) => customer.email),
    checkout: byForm("email", ({ customer }) => customer.email),
    "dashboard's form": byDepositForm("email"),
    "sign-up": bySignUp("email"),
  },
  amount: {
    "cash-in": byRoute({
      ...{ path: `${partner}/cash-in`, member: "amount", stored: amountOf },
      bodyOf: (amount) => ({ amount }),
    }),
    "old API": byRoute({
      ...{ path: "/v1/gateway/api", member: "amount", stored: amountOf },
      bodyOf: (amount) => ({ ip: "::1", amount, customer: { ...customer, address } }),
    }),
  },
  pasted_amount: {
    "money field": (typed) => {
      const cents = centsOfPasted(typed);
      return cents === undefined ? null : decimal(cents);
    },
  },
  card_number: { API: byTokenizing("number"), "card fields": byFields("number") },
  card_expiry: { "card fields": byExpiryField },
  card_code: { API: byTokenizing("cvv"), "card fields": byFields("cvv") },
};

/** The ways by which programs send; people take all others. */
const programs = new Set(["cash-in", "card charge", "enrolment", "old API"]);

describe.each(Object.keys(ways) as (keyof typeof ways)[])("a typed or pasted %s means the same everywhere:", (kind) => {
  const cases: TypedCase[] = typedCases[kind];

  test.each(cases)("$why, $typed, is $means", async ({ typed, means, sent = means }) => {
    const read: Record<string, string | null> = {};
    for (const [name, way] of Object.entries(ways[kind])) read[name] = await way(typed);
    const expected = Object.keys(ways[kind]).map((name) => [name, programs.has(name) ? sent : means]);
    expect(read).toEqual(Object.fromEntries(expected));
  });
});
