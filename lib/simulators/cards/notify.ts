import type { DueRows } from "@/lib/due/find";
import { env } from "@/lib/env";
import { SIGNATURE_HEADER, signatureOf } from "@/lib/rails/cards/simulator/agreement";
import { noticesTo } from "@/lib/simulators/notices";
import { realNow } from "@/lib/time/clock";

const chargebacks = noticesTo({
  path: "/callbacks/cards/simulator",
  sign: (body) => ({ [SIGNATURE_HEADER]: signatureOf(env.SIMULATOR_SECRET, realNow(), body) }),
})({
  table: "simulator_chargebacks",
  id: "id",
  columns: "t.changes, t.status",
  bodyOf: ({ id, changes, status }: { id: string; changes: number; status: string }) => {
    return { event_id: `evt_${id}_${changes}`, type: "chargeback", id, status };
  },
});

/** What the simulated acquirer has to report. */
export const dueCardNotices: readonly DueRows[] = [chargebacks.rows];

/** Sends a batch of its due notices; each again until a 2xx or 20 attempts. Returns whether more may be due. */
export const sendCardNotices = chargebacks.send;
