import type { DueRows } from "@/lib/due/find";
import { env } from "@/lib/env";
import { decimal } from "@/lib/money";
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { noticesTo } from "@/lib/simulators/notices";
import { dueSteps, takeSteps } from "@/lib/simulators/pix/payout-steps";
import { PAID_AT, type Pix } from "@/lib/simulators/pix/records";
import { realNow } from "@/lib/time/clock";

const queueOf = noticesTo({
  path: "/callbacks/pix/simulator",
  sign(body) {
    const timestamp = String(Math.floor(realNow().getTime() / 1000));
    return { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, timestamp, body) };
  },
});

const queues = [
  queueOf({
    table: "simulator_pix",
    id: "end_to_end_id",
    columns: `t.txid, t.amount, ${PAID_AT}`,
    bodyOf: ({
      endToEndId,
      txid,
      amount,
      paid_at,
    }: Pick<Pix, "txid" | "amount" | "paid_at"> & { endToEndId: string }) => ({
      event_id: `evt_${endToEndId}`,
      type: "pix.received",
      end_to_end_id: endToEndId,
      txid,
      amount: decimal(BigInt(amount)),
      paid_at,
    }),
  }),
  queueOf({
    table: "simulator_recs",
    id: "id_rec",
    columns: "t.changes, t.doc ->> 'status' as status",
    bodyOf: ({ idRec, changes, status }: { idRec: string; changes: number; status: string }) => {
      return { event_id: `evt_${idRec}_${changes}`, type: "rec", idRec, status };
    },
  }),
  queueOf({
    table: "simulator_cobrs",
    id: "txid",
    columns: "t.changes, t.doc ->> 'status' as status",
    bodyOf: ({ txid, changes, status }: { txid: string; changes: number; status: string }) => {
      return { event_id: `evt_${txid}_${changes}`, type: "cobr", txid, status };
    },
  }),
  queueOf({
    table: "simulator_devolucoes",
    id: "id",
    columns: "t.changes, t.end_to_end_id as e2e, t.status",
    bodyOf: ({ id, changes, e2e, status }: { id: string; changes: number; e2e: string; status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "devolucao", end_to_end_id: e2e, id, status };
    },
  }),
  queueOf({
    table: "simulator_payouts",
    id: "id",
    columns: "t.changes, t.status",
    bodyOf: ({ id, changes, status }: { id: string; changes: number; status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "payout", id, status };
    },
  }),
  queueOf({
    table: "simulator_infractions",
    id: "id",
    columns: "t.changes, t.payment_id as e2e, t.status",
    bodyOf: ({ id, changes, e2e, status }: { id: string; changes: number; e2e: string; status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "infraction", end_to_end_id: e2e, id, status };
    },
  }),
];

/** What the simulated PSP has to report, and payouts of which something is to be done first. */
export const dueNotices: readonly DueRows[] = [...queues.map(({ rows }) => rows), dueSteps];

/** Sends a batch of due notices of each queue; each again until a 2xx or 20 attempts. Returns whether more may be due. */
export async function sendNotices(): Promise<boolean> {
  let isMoreDue = await takeSteps();
  for (const { send } of queues) isMoreDue = (await send()) || isMoreDue;
  return isMoreDue;
}
