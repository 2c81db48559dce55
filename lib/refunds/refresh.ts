import { inParallel } from "@/lib/concurrency/parallel";
import { forAccount } from "@/lib/db";
import { log } from "@/lib/log";
import { resolveCall } from "@/lib/outside/calls";
import { refundCalls } from "@/lib/refunds/call";

/** How many refunds are asked about at once: the newest, of which a callback may still be on its way. */
const ASKED = 50;

/** Follows what became of an account's refunds that a provider took, without waiting for callbacks. */
export async function refreshRefunds(accountId: string): Promise<void> {
  const taken = await forAccount(accountId, (tx) =>
    tx.call.findMany({
      where: { accountId, kind: { in: refundCalls.map(({ name }) => name) }, acceptedAt: { not: null }, doneAt: null },
      ...{ select: { id: true, kind: true }, orderBy: { id: "desc" }, take: ASKED },
    }),
  );
  await inParallel(taken, ASKED, async ({ id, kind: named }) => {
    const kind = refundCalls.find(({ name }) => name === named);
    if (!kind) return;
    await resolveCall(kind, { accountId, id }).catch((error) =>
      log.warn({ accountId, id, error }, "a refund could not be asked about"),
    );
  });
}
