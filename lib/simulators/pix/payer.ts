import { z } from "zod";
import type { Query } from "@/lib/db";
import { json } from "@/lib/http/answer";
import { type Handler, methods } from "@/lib/http/methods";
import { accountStates } from "@/lib/rails/pix/automatic";
import { bodyBy, guarded } from "@/lib/simulators/guard";
import {
  ISPB,
  inRecords,
  lockRec,
  moved,
  type Rec,
  type RecDoc,
  saveRec,
  setAccount,
} from "@/lib/simulators/pix/automatic-records";
import { problem } from "@/lib/simulators/pix/problem";
import type { Pix } from "@/lib/simulators/pix/records";
import { cancel, ID_REC } from "@/lib/simulators/pix/recs";

/** `…/rec/{idRec}/payer`: what the payer does with a mandate in the app of their bank, and what their account does. */
export const payer = methods({ POST: guarded((request, context) => play(request, context)) });

const text = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,140}$/u);

const Played = z.object({
  action: z.enum(["authorise", "refuse", "cancel"]).optional(),
  account: z.enum(accountStates).optional(),
  payer: z
    .object({
      name: text.optional(),
      document: z
        .string()
        .regex(/^(\d{11}|[0-9A-Z]{12}\d{2})$/)
        .optional(),
      ispb: z
        .string()
        .regex(/^[0-9A-Z]{8}$/)
        .optional(),
    })
    .optional(),
});

const play: Handler = async (request, { params }) => {
  const body = await bodyBy(Played, request);
  if (body instanceof Response) return body;
  const { idRec = "" } = (await params) ?? {};
  return inRecords(async (query) => {
    const found = ID_REC.test(idRec) ? await lockRec(query, idRec) : undefined;
    if (!found) return problem("RecNaoEncontrada", "Recorrência não encontrada para o idRec informado.");
    if (body.account) await setAccount(query, idRec, body.account);
    const isDone = body.action ? await act(query, found, body.action, body.payer) : true;
    return isDone ? json(200, {}) : problem("RecOperacaoInvalida", `A recorrência está ${found.doc.status}.`);
  });
};

const after = { authorise: "APROVADA", refuse: "REJEITADA", cancel: "CANCELADA" } as const;

/** False where the mandate's status does not allow it. Done again it changes nothing. */
async function act(query: Query, rec: Rec, action: keyof typeof after, payer?: Partial<Pix["payer"]>) {
  if (rec.doc.status === after[action]) return true;
  if (action === "cancel") return Boolean(await cancel(query, rec, "USUARIO_PAGADOR"));
  if (rec.doc.status !== "CRIADA") return false;
  if (action === "authorise") await authorise(query, rec, "JORNADA_2", payer);
  else await saveRec(query, { ...rec, doc: rejected(rec.doc) });
  return true;
}

/** Authorises a locked mandate that is open. Whatever is not said of the payer is the debtor's. */
export async function authorise(query: Query, rec: Rec, tipoJornada: string, payer: Partial<Pix["payer"]> = {}) {
  const { nome: name, cpf, cnpj } = rec.doc.vinculo.devedor;
  const ativacao = { ...rec.doc.ativacao, tipoJornada };
  const doc = moved(rec.doc, "APROVADA", { ativacao });
  await saveRec(query, { ...rec, doc, payer: { name, document: cpf ?? cnpj ?? "", ispb: ISPB, ...payer } });
}

const rejected = (doc: RecDoc) =>
  moved(doc, "REJEITADA", {
    encerramento: { rejeicao: { codigo: "AP13", descricao: "Rejeitada pelo usuário pagador" } },
  });
