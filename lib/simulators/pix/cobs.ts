import { z } from "zod";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { newAlphanumeric } from "@/lib/ids";
import { centsOf, decimal } from "@/lib/money";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import { COB_AT, type Cob, getCob, insertCob } from "@/lib/simulators/pix/automatic-records";
import { problem } from "@/lib/simulators/pix/problem";

/**
 * `…/cob/{txid}`: a charge that a dynamic code pays once. It never expires, because this PSP does not know the client's
 * time; money that comes too late is the client's to judge.
 */
export const cob = methods({
  PUT: guarded((request, context) => makeCob(request, context)),
  GET: guarded((request, context) => answerCob(request, context)),
});

const Body = z.object({
  calendario: z.object({ expiracao: z.int().min(1) }),
  valor: z.object({ original: z.string().regex(/^\d{1,10}\.\d\d$/) }),
  chave: z.literal(PIX_KEY),
});

const TXID = /^[a-zA-Z0-9]{26,35}$/;

const makeCob: Handler = async (request, { params }) => {
  const body = await bodyBy(Body, request);
  if (body instanceof Response) return body;
  const { txid = "" } = (await params) ?? {};
  const amount = centsOf(body.valor.original);
  if (!TXID.test(txid) || !amount) return problem("CobOperacaoInvalida", "O txid ou o valor não respeita o schema.");
  const made = await insertCob(txid, newAlphanumeric(32), amount);
  return made ? json(201, present(made)) : problem("CobOperacaoInvalida", "O campo cob.txid encontra-se em uso.");
};

const answerCob: Handler = async (_, { params }) => {
  const { txid = "" } = (await params) ?? {};
  const found = TXID.test(txid) ? await getCob(txid) : undefined;
  return found
    ? json(200, present(found))
    : problem("CobNaoEncontrado", "Cobrança não encontrada para o txid informado.");
};

const present = ({ txid, status, amount, location }: Cob) => ({
  txid,
  status,
  valor: { original: decimal(BigInt(amount)) },
  chave: PIX_KEY,
  location: `${COB_AT}${location}`,
});
