import { actAs } from "@/lib/actor";
import type { Row } from "@/lib/database/json-rows";
import { type Query, transactionOverAll } from "@/lib/db";
import { endDispute } from "@/lib/disputes/end";
import { type Disputed, openDispute } from "@/lib/disputes/open";
import { rowOfDispute } from "@/lib/disputes/record";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { type Progress, readEach, type WatchKind, watchOn, writeEach } from "@/lib/outside/watch";
import { acquirerNamed } from "@/lib/rails/cards/acquirers";
import type { Disputes, ReportedDispute } from "@/lib/rails/disputes";
import { railNamed } from "@/lib/rails/pix/rails";
import type { Share } from "@/lib/splits/share";
import { lockSale } from "@/lib/transactions/sale";
import type { Mode, TransactionMethod } from "@/prisma/client/enums";

/** The kind of watch over the disputes of a method. */
export const watchOf = (method: TransactionMethod) => methods[method].dispute.kind;

/** The port of a method's disputes at a provider. Throws where it reports none. */
export function disputesAt(method: TransactionMethod, provider: string): Disputes {
  const { disputes } = (methods[method].refundedBy === "rail" ? railNamed(provider) : acquirerNamed(provider)) ?? {};
  if (!disputes) throw new Error(`No provider of disputes is named ${provider}`);
  return disputes;
}

/** What providers report of disputes, by their own id of each: it opens, and later ends. */
const watchKind = (method: TransactionMethod): WatchKind<ReportedDispute> => ({
  name: watchOf(method),
  read: readEach((provider, id) => disputesAt(method, provider).read(id)),
  write: writeEach((provider, reported) => writeReported(method, provider, reported)),
});

export const medWatch = watchKind("pix");
export const chargebackWatch = watchKind("card");

/** Writes what a provider reports of a dispute. Safe to run any number of times, and twice at once. */
export const writeReported = (
  method: TransactionMethod,
  provider: string,
  reported: ReportedDispute,
): Promise<Progress> =>
  actAs({ kind: "rail", id: provider }, () => transactionOverAll((query) => write(query, method, provider, reported)));

async function write(
  query: Query,
  method: TransactionMethod,
  provider: string,
  reported: ReportedDispute,
): Promise<Progress> {
  const found = await findDisputed(query, method, reported.paymentId);
  if (!found) {
    log.error({ provider, id: reported.id }, "a dispute is of no sale of ours");
    return "over";
  }
  const { accountId } = found.sale;
  const key = [accountId, provider, method, reported.id];
  const find = async () => (await query<{ dispute: Row }>("dispute_reported", REPORTED, key))[0];
  if (!(await find())) {
    const opened = await openDispute(query, found, reported, { provider, kind: watchOf(method) });
    if (opened === undefined) {
      await watchOn(query, watchOf(method), provider, reported.id);
      return "open";
    }
    if (opened === null) {
      log.warn({ accountId, provider, id: reported.id }, "a dispute is of a sale of which nothing is left");
      return "over";
    }
  }
  if (reported.status === "open") return "open";
  const again = await find();
  const dispute = rowOfDispute(again?.dispute ?? {});
  if (dispute.status !== "open") return "over";
  const sale = await lockSale(query, { accountId, id: dispute.transactionId });
  if (sale) await endDispute(query, { dispute, sale, shares: found.shares }, reported);
  return "over";
}

/** The sale of a payment, locked; the reports about one sale queue here. */
async function findDisputed(query: Query, method: TransactionMethod, paymentId: string): Promise<Disputed | undefined> {
  const by = methods[method].refundedBy;
  const [known] = await query<Known>(`disputed_by_${by}`, texts[by], [paymentId]);
  const sale = known && (await lockSale(query, known));
  if (sale?.method !== method) return undefined;
  return known && { sale, shares: known.shares, ...ofAccount(known) };
}

type Known = {
  accountId: string;
  id: string;
  shares: Share[];
  mode: Mode;
  clockOffsetMs: string;
  chargebackFee: number;
};

const ofAccount = ({ mode, clockOffsetMs, chargebackFee }: Known) => ({
  ...{ mode, chargebackFee, clockOffsetMs: BigInt(clockOffsetMs) },
});

const knownBy = (
  where: string,
) => `select t.account_id as "accountId", t.id, a.mode, a.clock_offset_ms::text as "clockOffsetMs",
    a.chargeback_fee::float8 as "chargebackFee", s.shares
  from (select account_id, id from transactions where ${where} offset 0) t
  cross join lateral (select * from accounts where id = t.account_id offset 0) a
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', id, 'recipientId', recipient_id, 'name', name,
      'basisPoints', basis_points, 'amount', amount) order by place), '[]') as shares
    from shares where transaction_id = t.id offset 0
  ) s`;
/** A rail names a payment by its end-to-end id, an acquirer by our id of the charge. */
const texts = { rail: knownBy("end_to_end_id = $1"), acquirer: knownBy("id = $1::uuid") };

const REPORTED = `select to_jsonb(d) as dispute from disputes d
  where account_id = $1::uuid and provider = $2 and method = $3::"TransactionMethod" and provider_id = $4 for update`;
