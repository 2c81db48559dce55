import { z } from "zod";
import { type Query, runPrepared } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { newAlphanumeric } from "@/lib/ids";
import { centsOf, decimal } from "@/lib/money";
import { disputedOf } from "@/lib/simulators/disputes";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import { inRecords } from "@/lib/simulators/pix/automatic-records";
import { problem } from "@/lib/simulators/pix/problem";
import { realNow } from "@/lib/time/clock";

/** `…/received/{endToEndId}/devolucao/{id}`: sends money of a payment back, once for each id, and says what became of it. */
export const devolucao = methods({
  PUT: guarded((request, context) => begin(request, context)),
  GET: guarded((request, context) => answerOne(request, context)),
});

/** `…/devolucao/{id}/end`: a developer says how a devolução ends, which with a real PSP the payer's bank decides. */
export const devolucaoEnd = methods({ POST: guarded((request, context) => end(request, context)) });

type Devolucao = {
  id: string;
  end_to_end_id: string;
  amount: string;
  status: "EM_PROCESSAMENTO" | "DEVOLVIDO" | "NAO_REALIZADO";
  reason: string | null;
  return_id: string;
};

const ID = /^[a-zA-Z0-9]{1,35}$/;

const Asked = z.object({ valor: z.string().regex(/^\d{1,10}\.\d\d$/) });

const begin: Handler = async (request, { params }) => {
  const body = await bodyBy(Asked, request);
  if (body instanceof Response) return body;
  const { endToEndId = "", id = "" } = (await params) ?? {};
  const amount = centsOf(body.valor);
  if (!ID.test(id) || !amount) return refused("O campo devolucao.id ou devolucao.valor não respeita o schema.");
  return inRecords(async (query) => {
    const [pix] = await query<{ amount: string }>("simulator-pix-lock", LOCK, [endToEndId]);
    if (!pix) return problem("PixNaoEncontrado", "O campo e2eid não é de um Pix recebido.");
    const [earlier] = await query<Devolucao>("simulator-devolucao", ONE, [id]);
    if (earlier) {
      const isSame = earlier.end_to_end_id === endToEndId && earlier.amount === String(amount);
      return isSame ? json(201, present(earlier)) : refused("Já existe uma devolução com o id informado.");
    }
    const [sent] = await query<{ amount: string }>("simulator-devolvido", SENT, [endToEndId]);
    if (Number(sent?.amount) + amount > Number(pix.amount))
      return refused("O campo devolucao.valor ultrapassa o valor do pix.");
    const values = [
      id,
      endToEndId,
      amount,
      `D99999999${realNow().toISOString().replace(/\D/g, "").slice(0, 12)}${newAlphanumeric(11)}`,
    ];
    const [made] = await query<Devolucao>("simulator-devolver", INSERT, values);
    return json(201, present(made as Devolucao));
  });
};

const End = z.object({ status: z.enum(["DEVOLVIDO", "NAO_REALIZADO"]) });

const end: Handler = async (request, { params }) => {
  const body = await bodyBy(End, request);
  if (body instanceof Response) return body;
  const { id = "" } = (await params) ?? {};
  const [ended] = await runPrepared<Devolucao>("simulator-devolucao-end", END, [id, body.status]);
  if (!ended) return refused("A devolução não está em processamento.");
  wake("notices");
  return json(200, present(ended));
};

const answerOne: Handler = async (_, { params }) => {
  const { endToEndId = "", id = "" } = (await params) ?? {};
  const found = await find(runPrepared, id);
  if (found?.end_to_end_id !== endToEndId)
    return problem("PixDevolucaoNaoEncontrada", "Não existe devolução com o id informado.");
  return json(200, present(found));
};

const find = async (query: Query, id: string) => (await query<Devolucao>("simulator-devolucao", ONE, [id]))[0];

const refused = (reason: string) => problem("PixDevolucaoInvalida", reason);

const present = ({ id, amount, status, reason, return_id }: Devolucao) => ({
  ...{ id, rtrId: return_id, valor: decimal(BigInt(amount)), status },
  ...(reason && { motivo: reason }),
});

const COLUMNS = "id, end_to_end_id, amount, status, reason, return_id";
const LOCK = "select amount from simulator_pix where end_to_end_id = $1 for update";
const ONE = `select ${COLUMNS} from simulator_devolucoes where id = $1`;
const SENT = `select coalesce(sum(amount), 0) + ${disputedOf("simulator_infractions", "$1")} as amount from simulator_devolucoes
  where end_to_end_id = $1 and status <> 'NAO_REALIZADO'`;
const INSERT = `insert into simulator_devolucoes (id, end_to_end_id, amount, status, return_id)
  values ($1, $2, $3, 'EM_PROCESSAMENTO', $4) returning ${COLUMNS}`;
const END = `update simulator_devolucoes set status = $2, changes = changes + 1, notify_at = now(), attempts = 0,
    reason = case when $2 = 'NAO_REALIZADO' then 'Conta do recebedor encerrada.' end
  where id = $1 and status = 'EM_PROCESSAMENTO' returning ${COLUMNS}`;
