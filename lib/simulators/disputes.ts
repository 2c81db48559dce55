import { z } from "zod";
import { runPrepared, transactionOverAll } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { MAX_AMOUNT } from "@/lib/money";
import { bodyBy, guarded, invalid } from "@/lib/simulators/guard";

/** What one company's disputes are of: its table, how it names one, and what of a payment is left, locked, as SQL by its id in $1. */
type Of = { table: "simulator_infractions" | "simulator_chargebacks"; newId: () => string; left: string };

type Row = {
  id: string;
  payment_id: string;
  amount: string;
  reason: string;
  status: string;
  lost_amount: string;
  created_at: string;
};

const COLUMNS = `id, payment_id, amount, reason, status, lost_amount,
  to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as created_at`;

/** SQL: what disputes have taken of a payment, or may yet take. */
export const disputedOf = (
  table: Of["table"],
  payment: string,
) => `coalesce((select sum(case status when 'open' then amount
  else lost_amount end) from ${table} where payment_id = ${payment}), 0)`;

/**
 * How the simulated company decides once a defence is there, by the last two digits of the disputed cents: 91 is won, 92 lost, 93
 * lost by half and 94 cancelled. Every other dispute waits for whoever plays the company.
 */
const decisions: Readonly<Record<number, { status: "won" | "lost" | "cancelled"; half?: true }>> = {
  91: { status: "won" },
  92: { status: "lost" },
  93: { status: "lost", half: true },
  94: { status: "cancelled" },
};

const Opened = z.object({
  payment_id: z.string().max(100),
  reason: z.string().regex(/^[a-z_]{1,40}$/),
  amount: z.int().min(1).max(MAX_AMOUNT).optional(),
});
const Ended = z.object({
  status: z.enum(["won", "lost", "cancelled"]),
  lost_amount: z.int().min(1).max(MAX_AMOUNT).optional(),
});
const Defence = z.object({
  text: z.string().max(10_000),
  evidence: z
    .array(z.object({ name: z.string(), content_type: z.string(), size: z.int(), sha256: z.string() }))
    .max(20),
});
const Query = z.object({
  cursor: z.string().max(60).default("~"),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

/** The routes of one company's disputes: all of them, one, its defence and its end. */
export function disputesOf({ table, newId, left }: Of) {
  const one = async (id: string) =>
    (await runPrepared<Row>(`${table}_one`, `select ${COLUMNS} from ${table} where id = $1`, [id]))[0];

  /** Opens a dispute of a payment of which one is not open, of what is left of it. */
  const open: Handler = async (request) => {
    const body = await bodyBy(Opened, request);
    if (body instanceof Response) return body;
    const made = await transactionOverAll(async (query) => {
      const [found] = await query<{ left: string; open: boolean }>(`${table}_left`, left, [body.payment_id]);
      const amount = Math.min(body.amount ?? MAX_AMOUNT, Number(found?.left ?? 0));
      if (!found || found.open || amount <= 0) return undefined;
      const values = [newId(), body.payment_id, amount, body.reason];
      const [row] = await query<Row>(
        `${table}_open`,
        `insert into ${table} (id, payment_id, amount, reason, notify_at) values ($1, $2, $3, $4, now()) returning ${COLUMNS}`,
        values,
      );
      return row;
    });
    if (!made) return json(409, { message: "Não há o que contestar neste pagamento.", error: "nothing_to_dispute" });
    wake("notices");
    return json(201, present(made));
  };

  /** The open ones, oldest first; `next_cursor` leads to the next page. */
  const listOpen: Handler = async (request) => {
    const { data: query, error } = Query.safeParse(Object.fromEntries(new URL(request.url).searchParams));
    if (error) return invalid(error);
    const [at = "", id = ""] = query.cursor.split("~");
    const found = await runPrepared<Row>(
      `${table}_list`,
      `select ${COLUMNS} from ${table} t where status = 'open' and (t.created_at, t.id) > ($1::timestamptz, $2)
        order by t.created_at, t.id limit $3`,
      [at || "-infinity", id, query.limit + 1],
    );
    const page = found.slice(0, query.limit);
    const last = found.length > page.length ? page.at(-1) : undefined;
    return json(200, { data: page.map(present), next_cursor: last ? `${last.created_at}~${last.id}` : null });
  };

  const answerOne: Handler = async (_, { params }) => {
    const found = await one((await params)?.id ?? "");
    return found ? json(200, present(found)) : unknown();
  };

  const endOne = async (id: string, status: string, lost: number | "half" | null) => {
    const amount = lost === "half" ? "t.amount / 2" : "least(t.amount, coalesce($3::bigint, t.amount))";
    const [ended] = await runPrepared<Row>(
      `${table}_end${lost === "half" ? "_half" : ""}`,
      `update ${table} t set status = $2, lost_amount = case when $2 = 'lost' then ${amount} else 0 end,
        changes = changes + 1, notify_at = now(), attempts = 0
      where id = $1 and status = 'open' returning ${COLUMNS}`,
      lost === "half" ? [id, status] : [id, status, lost],
    );
    if (ended) wake("notices");
    return ended;
  };

  const end: Handler = async (request, { params }) => {
    const body = await bodyBy(Ended, request);
    if (body instanceof Response) return body;
    const ended = await endOne((await params)?.id ?? "", body.status, body.lost_amount ?? null);
    return ended ? json(200, present(ended)) : refused();
  };

  const defend: Handler = async (request, { params }) => {
    const body = await bodyBy(Defence, request);
    if (body instanceof Response) return body;
    const id = (await params)?.id ?? "";
    const [defended] = await runPrepared<Row>(
      `${table}_defend`,
      `update ${table} set defence = $2::jsonb where id = $1 and status = 'open' returning ${COLUMNS}`,
      [id, JSON.stringify(body)],
    );
    if (!defended) return (await one(id)) ? refused() : unknown();
    const decided = decisions[Number(defended.amount) % 100];
    if (decided) await endOne(id, decided.status, decided.half ? "half" : null);
    return json(200, present(defended));
  };

  return {
    all: methods({ GET: guarded(listOpen), POST: guarded(open) }),
    one: methods({ GET: guarded(answerOne) }),
    defence: methods({ PUT: guarded(defend) }),
    end: methods({ POST: guarded(end) }),
  };
}

const unknown = () => json(404, { message: "Contestação não encontrada.", error: "dispute_not_found" });
const refused = () => json(409, { message: "A contestação já terminou.", error: "dispute_ended" });

const present = ({ amount, lost_amount, ...row }: Row) => ({
  ...row,
  ...{ amount: Number(amount), lost_amount: Number(lost_amount) },
});
