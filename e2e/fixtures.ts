import { test as base, expect, type Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { type Realm, sessionCookieName } from "@/lib/auth/session-cookie";
import { prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import type { Template } from "@/lib/mail/templates";
import { railFor } from "@/lib/rails/pix/rails";
import { lettersTo } from "@/lib/testing/mails";
import { type Made, makeAccount } from "@/lib/testing/make";
import { allStaffRoles } from "@/lib/testing/staff";
import type { StaffRole } from "@/prisma/client/enums";

type Seller = Made & {
  /** Calls the partner API as this seller's program. */
  api: <T>(method: string, path: string, body?: unknown) => Promise<T>;
  /** The client id of another seller, for splits. */
  recipient: () => Promise<string>;
};

type Fixtures = { seller: Seller; allowErrors: RegExp; watched: undefined };

/** Every test has a seller of its own, signed in, and fails on an unexpected error in the page's console. */
export const test = base.extend<Fixtures>({
  allowErrors: [/^$/, { option: true }],

  seller: async ({ context }, use) => {
    const seller = await makeSeller();
    await context.addCookies([await sessionCookie(seller.accountId)]);
    await use(seller);
  },

  watched: [
    async ({ page, allowErrors }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      await use(undefined);
      expect(errors.filter((text) => !allowErrors.test(text))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect, type Page, type Seller };

/** Makes a seller with some money in its sandbox. */
export async function makeSeller(): Promise<Seller> {
  const made = await makeAccount({ available: 500_000 });
  return { ...made, api: apiOf(made.token), recipient: async () => (await makeAccount()).clientId };
}

/** A signed-in session of the seller's person without the form: the row, and the cookie that names it. */
export async function sessionCookie(accountId: string) {
  const seller = await prisma().membership.findFirstOrThrow({
    where: { OR: [{ accountId }, { sandboxId: accountId }] },
  });
  return cookieOf("seller", seller.userId, accountId);
}

/** The session cookie of a new person of the operator's staff, with all roles by default. */
export async function staffCookie(staffRoles: StaffRole[] = allStaffRoles) {
  const id = newId();
  const person = {
    id,
    email: `${id}@example.com`,
    name: "Olga Prado",
    passwordHash: "none",
    staffRoles,
    emailConfirmedAt: new Date(),
  };
  await prisma().user.create({ data: person });
  return cookieOf("staff", id, null);
}

/** A signed-in session of a person, who has just proved who they are. */
export async function cookieOf(realm: Realm, userId: string, accountId: string | null) {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const proved = { steppedUpAt: new Date(), secondFactorAt: new Date() };
  const session = { id: newId(), userId, accountId, ip: "127.0.0.1", userAgent: "test", expiresAt, ...proved };
  await prisma().session.create({ data: session });
  const value = await encode({ token: { sub: userId, sid: session.id }, secret: env.SESSION_SECRET });
  return { name: sessionCookieName(realm), value, domain: "localhost", path: "/", secure: true, httpOnly: true };
}

/** The link in the newest mail of this template to an address, once it was written. */
export async function mailedLink(email: string, template: Template): Promise<string> {
  let url = "";
  await expect
    .poll(async () => {
      for (const letter of await lettersTo(email)) {
        if (letter.template === template && "url" in letter) url = letter.url ?? "";
      }
      return url;
    })
    .not.toBe("");
  return url;
}

/** The seller's live account, which is not approved yet. */
export async function liveAccountOf({ accountId }: Seller): Promise<string> {
  const seller = await prisma().membership.findFirstOrThrow({ where: { sandboxId: accountId } });
  return seller.accountId;
}

const apiOf =
  (token: string) =>
  async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(env.APP_URL + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
    return answer as T;
  };

type Deposit = { identifier: string; pix_code: string; expires_at: string };

/** Makes a deposit of the seller. */
export const deposit = (seller: Seller, overrides: object = {}) =>
  seller.api<Deposit>("POST", "/api/partner/v1/cash-in", {
    amount: 132,
    description: "Assinatura da revista",
    client: { name: "Zélia Prado", cpf: "52998224725", email: "zelia@example.com", phone: "11987654321" },
    ...overrides,
  });

export async function paidDeposit(seller: Seller, overrides: object = {}) {
  const made = await deposit(seller, overrides);
  await payInFull(seller, made.identifier);
  return made;
}

/** Pays the code of a deposit, and waits until the money has arrived. */
export async function payInFull(seller: Seller, id: string) {
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${id}/pay`, {});
  await expect
    .poll(async () => (await seller.api<V1>("GET", `/api/partner/v1/transaction/${id}`)).data.status)
    .toBe("completed");
}

/** Makes a deposit that is paid twice; the second payment is unmatched, and goes back. */
export async function paidTwice(seller: Seller, overrides: object = {}) {
  const made = await deposit(seller, overrides);
  // At the payer's bank, because the sandbox's own route refuses a deposit that is completed by then.
  for (const _ of [1, 2]) await railFor("sandbox")?.pay?.({ code: made.pix_code });
  const timeline = () => seller.api("GET", `/api/dashboard/v1/timeline/transaction/${made.identifier}`);
  await expect.poll(async () => JSON.stringify(await timeline())).toContain("already_paid");
  return made;
}

/** The body of a card charge as a shop's back-end sends it. */
export const cardOrder = (token: string) => ({
  amount: 132,
  description: "Assinatura da revista",
  card: { token },
  client: {
    name: "Zélia Prado",
    email: "zelia@example.com",
    phone: "11987654321",
    document: { type: "cpf", number: "52998224725" },
  },
  device: { ip: "203.0.113.7", user_agent: "test", page_url: "https://loja.example.com/pagar" },
});

/** Tokenizes a card of this number. */
export async function cardToken(seller: Seller, number: string): Promise<string> {
  const card = { number, holder_name: "ZELIA PRADO", expiry_month: "12", expiry_year: "2035", cvv: "123" };
  return (await seller.api<{ data: { token: string } }>("POST", "/api/partner/v1/card-tokens", { card })).data.token;
}

/** Makes a card sale, which its number approves or refuses. Returns its id. */
export async function cardSale(seller: Seller, number = "4111111111111111", overrides: object = {}) {
  const token = await cardToken(seller, number);
  const refused = await seller
    .api("POST", "/api/partner/v1/credit-card", { ...cardOrder(token), ...overrides })
    .then(() => null)
    .catch((error: Error) => error);
  if (refused && !refused.message.includes("answered 402")) throw refused;
  const { data: sales } = await seller.api<Sales>("GET", "/api/partner/v2/transactions?per_page=1");
  return sales[0]?.reference_id ?? "";
}

type Sales = { data: { reference_id: string }[] };
type V1 = { data: { status: string } };

/** What a person sees of a page: React keeps what streams in elsewhere too, hidden, for a moment. */
export const content = (page: Page) => page.locator("#content");

/** Does what a record's page offers, be it a button or in the menu of the rest. */
export async function choose(page: Page, name: string) {
  const [action, menu] = [name, "Mais ações"].map((one) => page.getByRole("button", { name: one, exact: true }));
  if (!action || !menu) throw new Error("a record has actions");
  await action.or(menu).first().waitFor();
  if (!(await action.isVisible())) await menu.click();
  await action.click();
}
