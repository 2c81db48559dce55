import { listDisputes } from "@/lib/disputes/read";
import { disputesAt, writeReported } from "@/lib/disputes/report";
import { type Dispute, DisputeQuery } from "@/lib/disputes/schema";
import type { ReportedDispute } from "@/lib/rails/disputes";
import type { Made } from "@/lib/testing/make";
import { saleOf } from "@/lib/testing/subscriptions";

/** Opens a dispute of a sale at the simulated company, without its callback. */
export async function aDispute({ accountId }: Made, saleId: string, amount?: number): Promise<ReportedDispute> {
  const { method, endToEndId } = await saleOf(accountId, saleId);
  const asked = { paymentId: endToEndId ?? saleId, reason: "fraud" as const, ...(amount && { amount }) };
  const opened = await disputesAt(method, "simulator").open?.(asked);
  if (!opened) throw new Error("Nothing can be disputed");
  return opened;
}

/** Has us write what the simulated company says of a dispute now, as after its callback. */
export async function heard({ accountId }: Made, saleId: string, { id }: Pick<ReportedDispute, "id">) {
  const { method } = await saleOf(accountId, saleId);
  const truth = await disputesAt(method, "simulator").read(id);
  if (!truth) throw new Error("The company knows no such dispute");
  return writeReported(method, "simulator", truth);
}

/** Opens a dispute, and has us know it. */
export async function disputed(made: Made, saleId: string, amount?: number): Promise<ReportedDispute> {
  const opened = await aDispute(made, saleId, amount);
  await heard(made, saleId, opened);
  return opened;
}

/** Ends a dispute at the simulated company, and has us know it. */
export async function ended(
  made: Made,
  saleId: string,
  { id }: Pick<ReportedDispute, "id">,
  status: "won" | "lost" | "cancelled",
  lostAmount?: number,
) {
  const { method } = await saleOf(made.accountId, saleId);
  await disputesAt(method, "simulator").end?.({ id, status, ...(lostAmount && { lostAmount }) });
  return heard(made, saleId, { id });
}

/** The account's disputes, newest first. */
export const disputesOf = async ({ accountId }: Pick<Made, "accountId">): Promise<Dispute[]> =>
  (await listDisputes(accountId, DisputeQuery.parse({}))).data;
