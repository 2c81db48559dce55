import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { centsOf } from "@/lib/money";
import type { SandboxKey } from "@/lib/rails/pix/sandbox-keys";
import { bodyBy, guarded, invalid } from "@/lib/simulators/guard";
import { ISPB, inRecords } from "@/lib/simulators/pix/automatic-records";
import { Key, sandboxKeyOf } from "@/lib/simulators/pix/keys";
import { getPayout, listPayouts, present } from "@/lib/simulators/pix/payout-records";
import { CHANGED, FAILED, insertReturn, PAID, STEP_AFTER } from "@/lib/simulators/pix/payout-steps";
import { problem } from "@/lib/simulators/pix/problem";
import { newEndToEndId } from "@/lib/simulators/pix/records";

/** The delay of a late answer, and the longest time that a caller without answer is held. Tests shorten both. */
export const patience = { lateMs: 9_000, heldMs: 30_000 };

/** `…/payouts`: the payouts that changed from `since` to `until`; `cursor` leads to the page after `next_cursor`. */
export const payouts = methods({ GET: guarded((request, context) => answerList(request, context)) });

/** `…/payouts/{id}`: sends money to a key, once for each id, and says what became of it. */
export const payout = methods({
  PUT: guarded((request, context) => begin(request, context)),
  GET: guarded((request, context) => answerOne(request, context)),
});

/** `…/payouts/{id}/end`: a developer says how a payout ends that was accepted. */
export const payoutEnd = methods({ POST: guarded((request, context) => end(request, context)) });

/** `…/payouts/{id}/returns`: a developer has the receiver return money of a payout. */
export const payoutReturns = methods({ POST: guarded((request, context) => giveBack(request, context)) });

const ID = /^[a-zA-Z0-9]{1,35}$/;
const money = z.string().regex(/^\d{1,10}\.\d\d$/);

const Asked = Key.extend({ amount: money, document: z.string().max(20), description: z.string().max(140).optional() });

const begin: Handler = async (request, { params }) => {
  const body = await bodyBy(Asked, request);
  if (body instanceof Response) return body;
  const { id = "" } = (await params) ?? {};
  const amount = centsOf(body.amount);
  if (!ID.test(id) || !amount) return refused("O id ou o valor do pagamento não respeita o schema.");
  const said = sandboxKeyOf(body) ?? ({} as SandboxKey);
  if (said.request === "unheard") return hold(request);
  if (said.owner === "nobody") return refused("A chave não está registrada.");
  const made = await inRecords(async (query) => {
    const steps = said.steps?.length ?? 0;
    const values = [id, body.key, amount, newEndToEndId(ISPB), said.begins ?? "processing", steps > 0];
    const [row] = await query<{ id: string }>("simulator-payout-begin", BEGIN, values);
    return row && getPayout(id, query);
  });
  if (made && said.request === "never") return hold(request);
  if (made && said.request === "late") await pause(patience.lateMs);
  const payout = made ?? (await getPayout(id));
  const isSame = payout?.key === body.key && payout.amount === String(amount);
  return payout && isSame ? json(201, present(payout)) : refused("Já existe um pagamento com o id informado.");
};

/** Gives no answer until the caller goes, or until a gateway would have ended the request. */
async function hold({ signal }: Request): Promise<Response> {
  await pause(patience.heldMs, undefined, { signal }).catch(() => {});
  return json(504, { message: "O provedor não respondeu." });
}

const End = z.object({ status: z.enum(["paid", "failed"]) });

const end: Handler = async (request, { params }) => {
  const body = await bodyBy(End, request);
  if (body instanceof Response) return body;
  const { id = "" } = (await params) ?? {};
  return inRecords(async (query) => {
    const [ended] = await query<{ id: string }>(`simulator-payout-${body.status}`, endAs(body.status), [id]);
    const payout = ended && (await getPayout(id, query));
    return payout ? json(200, present(payout)) : refused("O pagamento não está em processamento.");
  });
};

const Return = z.object({ amount: money });

const giveBack: Handler = async (request, { params }) => {
  const body = await bodyBy(Return, request);
  if (body instanceof Response) return body;
  const { id = "" } = (await params) ?? {};
  const amount = centsOf(body.amount) ?? 0;
  return inRecords(async (query) => {
    await query("simulator-payout-lock", "select from simulator_payouts where id = $1 for update", [id]);
    const before = await getPayout(id, query);
    const left = before?.returns.reduce((sum, one) => sum - Number(one.amount), Number(before.amount)) ?? 0;
    if (before?.status !== "paid" || amount < 1 || amount > left)
      return refused("O valor ultrapassa o que resta do pagamento.");
    await insertReturn(query, id, amount);
    await query("simulator-payout-changed", `update simulator_payouts set ${CHANGED} where id = $1`, [id]);
    return json(201, present((await getPayout(id, query)) ?? before));
  });
};

const answerOne: Handler = async (_, { params }) => {
  const { id = "" } = (await params) ?? {};
  const found = ID.test(id) ? await getPayout(id) : undefined;
  return found
    ? json(200, present(found))
    : problem("PagamentoNaoEncontrado", "Não existe pagamento com o id informado.");
};

const instant = (standard: string) => z.iso.datetime({ offset: true }).default(standard);

const Query = z.object({
  since: instant("1970-01-01T00:00:00Z"),
  until: instant("9999-12-31T00:00:00Z"),
  cursor: z
    .string()
    .transform((text) => text.split("~"))
    .pipe(z.tuple([z.iso.datetime(), z.string().regex(ID)]))
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

const answerList: Handler = async (request) => {
  const { data: query, error } = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (error) return invalid(error);
  const found = await listPayouts(query.cursor ?? [query.since, ""], query.until, query.limit + 1);
  const page = found.slice(0, query.limit);
  const last = found.length > page.length ? page.at(-1) : undefined;
  return json(200, { data: page.map(present), next_cursor: last ? `${last.changed_at}~${last.id}` : null });
};

const refused = (reason: string) => problem("PagamentoInvalido", reason);

const BEGIN = `insert into simulator_payouts as p
    (id, key, amount, end_to_end_id, status, reason, paid_at, notify_at, step_at)
  values ($1, $2, $3, $4, $5, case when $5 = 'failed' then 'Conta do recebedor encerrada.' end,
    case when $5 = 'paid' then now() end, case when $5 <> 'processing' then now() end,
    case when $6 then now() + ${STEP_AFTER} end)
  on conflict (id) do nothing returning id`;

const endAs = (status: "paid" | "failed") =>
  `update simulator_payouts set ${status === "paid" ? PAID : FAILED}, ${CHANGED}, step_at = null
   where id = $1 and status = 'processing' returning id`;
