import { forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { call, fund, type Made } from "@/lib/testing/make";
import { requestWithdrawal } from "@/lib/withdrawals/request";
import { CashOutBody } from "@/lib/withdrawals/schema";
import type { Prisma } from "@/prisma/client/client";

/** A parsed withdrawal, as the endpoint passes it on; `overrides` have amounts in reais, as a caller writes them. */
export const cashOut = (overrides: object = {}) =>
  CashOutBody.parse({
    ...{ amount: 10, pix_key_type: "EVP", pix_key: "123e4567-e89b-42d3-a456-426614174000" },
    ...{ document: { type: "CPF", number: "52998224725" } },
    ...overrides,
  });

/** A withdrawal that a seller's program asks for, with the money for it. Returns its id. Needs the simulated rail. */
export async function askedWithdrawal({ account, accountId, clientId }: Made, overrides: object = {}): Promise<string> {
  const input = cashOut(overrides);
  await fund(accountId, input.amount, account.mode);
  const by = { kind: "token", clientId } as const;
  return (await requestWithdrawal(account, { ...input, by }, call())).reference_id;
}

/** One that another program asked for, and that waits for a second person: the seller's program decides as its owner. */
export async function awaitingWithdrawal(seller: Made, overrides: object = {}): Promise<string> {
  const { accountId, clientId } = seller;
  const owner = { role: "owner" as const, OR: [{ accountId }, { sandboxId: accountId }] };
  const { userId: madeBy } = await prisma().membership.findFirstOrThrow({ where: owner });
  await prisma().credential.update({ where: { clientId }, data: { madeBy } });
  await setLimits(seller, { approvalAbove: 0 });
  return askedWithdrawal({ ...seller, clientId: newId() }, overrides);
}

/** Changes what a seller's withdrawals cost and what limits them, in cents. */
export const setLimits = ({ accountId: id }: Pick<Made, "accountId">, data: Prisma.AccountUpdateInput) =>
  forAccount(id, (tx) => tx.account.update({ where: { id }, data }));
