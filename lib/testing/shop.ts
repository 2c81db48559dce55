import { randomBytes } from "node:crypto";
import { addDomain } from "@/lib/cards/domains";
import { readPublicKey } from "@/lib/cards/public-key";
import { type Made, makeAccount } from "@/lib/testing/make";

export const SHOP = "https://loja.example";

/** A seller whose pages at `SHOP` may seal cards. */
export async function makeShop(wishes: Parameters<typeof makeAccount>[0] = {}): Promise<Made & { key: string }> {
  const seller = await makeAccount(wishes);
  await addDomain(seller.accountId, { origin: SHOP });
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

/** An address that no other test calls from. */
export const someAddress = () => [10, ...randomBytes(3)].join(".");
