import type { Query } from "@/lib/db";
import { type DueRows, locked } from "@/lib/due/find";
import { newAlphanumeric } from "@/lib/ids";
import { type PayoutStep, type SandboxKey, sandboxKeys } from "@/lib/rails/pix/sandbox-keys";
import { ISPB, inRecords } from "@/lib/simulators/pix/automatic-records";
import { realNow } from "@/lib/time/clock";

/** SQL: how long after the last step the next one is due. */
export const STEP_AFTER = "interval '3 seconds'";
const BATCH = 40;

/** The payouts whose keys say what becomes of them, and when that is due. */
export const dueSteps = {
  ...{ table: "simulator_payouts", key: { id: "text" }, at: "step_at", only: "t.step_at is not null" },
} as const satisfies DueRows;

type Stepping = { id: string; key: string; step: number; amount: string };

/** Takes the steps of payouts that are due. Returns whether more may be due. */
export async function takeSteps(): Promise<boolean> {
  return inRecords(async (query) => {
    const due = await query<Stepping>("simulator-payouts-due", DUE, [BATCH]);
    for (const payout of due) await take(query, payout);
    return due.length === BATCH;
  });
}

const DUE = locked(
  "select id, key, step, amount::text from simulator_payouts where step_at <= now() order by step_at limit $1",
);

async function take(query: Query, { id, key, step, amount }: Stepping): Promise<void> {
  const { steps = [] }: SandboxKey = sandboxKeys[key as keyof typeof sandboxKeys] ?? {};
  const taken = steps[step];
  if (taken === "half") await insertReturn(query, id, Math.ceil(Number(amount) / 2));
  else if (taken === "rest") await insertReturn(query, id, Number(amount));
  else if (taken === "forget") await query("simulator-returns-forget", FORGET_RETURNS, [id]);
  if (taken) await query(`simulator-step-${taken}`, sets(sqlOf[taken]), [id]);
  const next = `update simulator_payouts set step = step + 1, step_at = case when $2 then now() + ${STEP_AFTER} end
    where id = $1`;
  await query("simulator-step-next", next, [taken === "forget" ? `${id}~` : id, step + 1 < steps.length]);
}

/** Returns money of a locked payout, as far as there is any left of it. */
export const insertReturn = (query: Query, payoutId: string, amount: number) =>
  query("simulator-payout-return", INSERT_RETURN, [newReturnId(), payoutId, amount]);

const INSERT_RETURN = `insert into simulator_payout_returns (id, payout_id, amount)
  select $1, $2, least($3, amount - returned) from (
    select p.amount, coalesce((select sum(amount) from simulator_payout_returns where payout_id = p.id), 0) as returned
    from simulator_payouts p where p.id = $2
  ) p where returned < amount`;

const FORGET_RETURNS = "update simulator_payout_returns set payout_id = payout_id || '~' where payout_id = $1";

const newReturnId = () => `D${ISPB}${realNow().toISOString().replace(/\D/g, "").slice(0, 12)}${newAlphanumeric(11)}`;

/** SQL: a change that its notice reports, and that lists are in the order of. */
export const CHANGED = "changes = changes + 1, notify_at = now(), attempts = 0, changed_at = now()";
export const PAID = "status = 'paid', reason = null, paid_at = now()";
export const FAILED = "status = 'failed', reason = 'Conta do recebedor encerrada.'";

const sets = (set: string) => `update simulator_payouts set ${set} where id = $1`;

const sqlOf: Record<PayoutStep, string> = {
  pay: `${PAID}, ${CHANGED}`,
  fail: `${FAILED}, ${CHANGED}`,
  half: CHANGED,
  rest: CHANGED,
  repeat: "changes = changes + 1, notify_at = now(), attempts = 0",
  forget: "id = id || '~', notify_at = null",
};
