import { randomInt } from "node:crypto";
import { generateCnpj } from "@brazilian-utils/brazilian-utils";
import type { AccountContext } from "@/lib/accounts/context";
import { readContext } from "@/lib/accounts/read";
import { moneyScopes } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { mintToken } from "@/lib/credentials/mint-token";
import { forAccount, prisma } from "@/lib/db";
import { CashInBody } from "@/lib/deposits/schema";
import { type Answer, AppError, renderError } from "@/lib/errors";
import { replayOf } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { createSeller } from "@/lib/sellers/create";
import { Feature, type Mode } from "@/prisma/client/enums";

type Overrides = {
  available?: number;
  features?: Feature[];
  mode?: Mode;
  feeBasisPoints?: number | null;
  /** Whether its person has proved that the e-mail is theirs. */
  isProven?: boolean;
};

export type Made = {
  account: AccountContext;
  accountId: string;
  email: string;
  clientId: string;
  clientSecret: string;
  apiKey: string;
  token: string;
};

/** Makes an approved seller for one test, with a credential and a token; `available` in cents. */
export async function makeAccount({
  available = 0,
  features,
  mode = "sandbox",
  feeBasisPoints,
  isProven = true,
}: Overrides = {}): Promise<Made> {
  const email = `${newId()}@example.com`;
  const { userId, liveId, sandboxId } = await createSeller({
    company: `Loja ${randomInt(1_000_000)}`,
    document: generateCnpj(),
    person: { name: "Teste", email, passwordHash: "none" },
  });
  const accountId = mode === "live" ? liveId : sandboxId;
  await forAccount(accountId, (tx) =>
    tx.account.update({
      where: { id: accountId },
      data: {
        status: "approved",
        features: features ?? Object.values(Feature),
        ...(feeBasisPoints !== undefined && { pixFeeBasisPoints: feeBasisPoints }),
      },
    }),
  );
  if (isProven) await prisma().user.update({ where: { id: userId }, data: { emailConfirmedAt: new Date() } });
  if (available > 0) await fund(accountId, available, mode);
  const account = await readContext(accountId);
  if (!account) throw new Error("the account was not made");
  const made = await createCredential(account, { name: "Teste", money_scopes: [...moneyScopes] }, call());
  const { client_id, client_secret, api_key } = made.data;
  const { access_token } = await mintToken({ client_id, client_secret, ip: "127.0.0.1" });
  const [clientId, clientSecret, apiKey] = [client_id, client_secret, api_key];
  return { account, accountId, email, clientId, clientSecret, apiKey, token: access_token };
}

/** Credits an account with demo money, as the seed does a sandbox. Cents. */
export const fund = (accountId: string, amount: number, mode: Mode = "sandbox") =>
  forAccount([accountId, platforms[mode]], (tx) => {
    const owners = { account: accountId, platform: platforms[mode] };
    return post(tx, { type: "demo_funded", sourceId: newId(), owners, amounts: { amount } });
  });

/** A parsed cash-in, as the endpoint passes it on; `overrides` have amounts in reais, as a caller writes them. */
export const cashIn = (overrides: Partial<Record<keyof CashInBody, unknown>> = {}) =>
  CashInBody.parse({ amount: 100, ...overrides });

/** The intent that a verb gets, without a key. */
export const call = () => ({ idem: undefined, requestId: newId() });

/** The answer to a request whose verb threw this: a stored refusal, or the key's stored answer. Throws all else. */
export function answerOf(error: unknown): Answer {
  const answer = error instanceof AppError && error.options.isKept ? renderError(error, "") : replayOf(error);
  if (answer) return answer;
  throw error;
}
