import { randomBytes } from "node:crypto";
import { CardInput } from "@/lib/card-tokens/schema";
import { tokenizeCard } from "@/lib/card-tokens/tokenize";
import { addDomain } from "@/lib/public-keys/domains";
import { readPublicKey } from "@/lib/public-keys/public-key";
import { call, type Made, makeAccount } from "@/lib/testing/make";

export const SHOP = "https://loja.example";

/** A seller whose pages at `SHOP` may tokenize cards. */
export async function makeShop(overrides: Parameters<typeof makeAccount>[0] = {}): Promise<Made & { key: string }> {
  const seller = await makeAccount(overrides);
  await addDomain(seller.account, { origin: SHOP }, call());
  const { data } = await readPublicKey(seller.account);
  return { ...seller, key: data.key };
}

/** A card that the simulator approves, as a form sends it. */
export const aCard = (changes: object = {}) => ({
  card: {
    number: "4111111111111111",
    holder_name: "ANA SOUZA",
    expiry_month: "12",
    expiry_year: "2099",
    cvv: "123",
    ...changes,
  },
});

/** Tokenizes a card for this seller. Returns its token. */
export async function aToken({ accountId }: Made, number?: string): Promise<string> {
  const { card } = aCard(number === undefined ? {} : { number });
  return (await tokenizeCard({ id: accountId }, { card: CardInput.parse(card) })).data.token;
}

/** A charge of R$ 100.00 as a partner sends it. */
export const anOrder = (token: string, overrides: object = {}) => ({
  amount: 100,
  card: { token },
  client: {
    name: "Ana Prado",
    email: "Ana@Example.com",
    phone: "11987654321",
    document: { type: "cpf", number: "529.982.247-25" },
  },
  device: { ip: "203.0.113.7", user_agent: "Mozilla/5.0", page_url: "https://loja.example/checkout" },
  ...overrides,
});

/** An address that no other test calls from. */
export const someAddress = () => [10, ...randomBytes(3)].join(".");
