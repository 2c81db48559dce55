import { existsSync } from "node:fs";
import { join } from "node:path";
import { requireContext } from "@/lib/accounts/read";
import { moneyScopes } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { forAccount, prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId, newSecret } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { createSeller } from "@/lib/sellers/create";
import { realNow } from "@/lib/time/clock";
import { createOperator } from "@/lib/users/create-operator";
import { hashPassword } from "@/lib/users/password";
import { renewPassword } from "@/lib/users/renew-password";
import { seedCatalogue } from "@/prisma/seed-catalogue";

/** The demo's sellers. `sandboxFeatures` without an entry means all, `available` is the first balance in cents. */
const sellers = {
  seller: {
    company: "Ateliê Aurora",
    document: "11222333000181",
    email: "ana@aurora.example",
    available: 500_000,
  },
  recipient: {
    company: "Bento Logística",
    document: "45997418000153",
    email: "bento@logistica.example",
    available: 0,
  },
  plain: {
    company: "Casa Clara",
    document: "27865757000102",
    email: "clara@casa.example",
    sandboxFeatures: [],
    available: 0,
  },
};

const OPERATOR = "operacao@repasse.example";

export type Demo = Record<keyof typeof sellers, SellerLogin> & { operator: { email: string; password: string } };
type SellerLogin = { email: string; password: string; client_id: string; client_secret: string; api_key: string };

/**
 * Makes two sandbox sellers, a third without features and an operator. Returns undefined when they were made before, as
 * DATA_DIR/demo.json shows, or when the database has other users. An interrupted seeding is finished, with new passwords.
 */
export async function seedDemo(): Promise<Demo | undefined> {
  const emails = [OPERATOR, ...Object.values(sellers).map(({ email }) => email)];
  const others = await prisma().user.count({ where: { email: { notIn: emails } } });
  if (others > 0 || existsSync(join(env.DATA_DIR, "demo.json"))) return undefined;
  const password = newPassword();
  await createOperator({ email: OPERATOR, name: "Operação", password, resetPassword: true });
  const logins = {
    seller: await seedSeller(sellers.seller),
    recipient: await seedSeller(sellers.recipient),
    plain: await seedSeller(sellers.plain),
  };
  await seedCatalogue(sellers.seller.email, sellers.recipient.email, sellers.plain.email);
  return { ...logins, operator: { email: OPERATOR, password } };
}

const newPassword = () => newSecret().slice(0, 20);

async function seedSeller({
  available,
  email,
  ...seller
}: (typeof sellers)[keyof typeof sellers]): Promise<SellerLogin> {
  const password = newPassword();
  const name = email.slice(0, 1).toUpperCase() + email.slice(1, email.indexOf("@"));
  const person = { email, name, passwordHash: await hashPassword(password), emailConfirmedAt: realNow() };
  const { liveId, sandboxId } =
    (await renewPassword(email, person.passwordHash)) ?? (await createSeller({ ...seller, person }));
  await forAccount([liveId, sandboxId], (tx) =>
    tx.account.updateMany({
      where: { id: { in: [liveId, sandboxId] } },
      data: {
        phone: "11987654321",
        address: { street: "Rua das Flores", streetNumber: "100", city: "São Paulo", state: "SP", zipCode: "01001000" },
        legalRepresentative: { name, email },
      },
    }),
  );
  if (available > 0) {
    const fact = {
      type: "demo_funded",
      sourceId: sandboxId,
      owners: { account: sandboxId, platform: platforms.sandbox },
    } as const;
    await forAccount([sandboxId, platforms.sandbox], (tx) => post(tx, { ...fact, amounts: { amount: available } }));
  }
  const made = await createCredential(
    await requireContext(sandboxId),
    { name: "Demonstração", money_scopes: [...moneyScopes] },
    { idem: undefined, requestId: newId() },
  );
  const { client_id, client_secret, api_key } = made.data;
  return { email, password, client_id, client_secret, api_key };
}
