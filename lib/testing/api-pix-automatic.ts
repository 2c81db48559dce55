import { z } from "zod";
import { newAlphanumeric } from "@/lib/ids";
import { centsOf } from "@/lib/money";
import type { AccountState, AutomaticSimulation } from "@/lib/rails/pix/automatic";
import { parseBrCode, writeBrCode } from "@/lib/rails/pix/brcode";
import { type CobrDoc, moved, type RecDoc } from "@/lib/simulators/pix/automatic-records";
import { attempt, cancelledByReceiver, faultOfDebit, faultOfRetry } from "@/lib/simulators/pix/cobrs";
import { nextOf } from "@/lib/simulators/pix/days";
import { cancelled } from "@/lib/simulators/pix/recs";
import { localTime } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

/** The account at the PSP that debits are paid to. */
export const ACCOUNT = { agencia: "1", conta: "123456", tipoConta: "CORRENTE" } as const;

const ISPB = "87654321";
const RECEIVER = { cnpj: "11222333000181", nome: "Repasse" };

type Answer = { status: number; body?: object };
type Asked = { query: URLSearchParams; body: Record<string, unknown> };
type Pix = { endToEndId: string; txid?: string };

/** What the rest of the PSP has for it. */
type Psp = {
  cobs: Map<string, { amount: string; status: string }>;
  pixes: Map<string, Pix>;
  pay(payment: { txid?: string; amount?: number; endToEndId?: string }): Pix;
  /** Calls back at the registered address, with this ending. Resolves to our status. */
  post(ending: string, body: object): Promise<number>;
  problem(status: number, kind: string, detail?: string): Answer;
};

type Loc = { id: number; location: string; criacao: string; idRec?: string };
type Rec = { doc: RecDoc; loc: Loc | undefined; account: AccountState; madeAt: Date };
/** A debit as it is kept, and the account that it names. */
type Cobr = { doc: CobrDoc; recebedor: object };

/**
 * Pix Automático of the PSP for tests: locrec, rec and cobr, by the rules of the simulated PSP, with what the standard
 * demands beyond. `clock.at` is its business time, which else is real; `owed` is what it has not called back about yet.
 */
export function serveAutomatic(psp: Psp) {
  const { problem } = psp;
  const [locs, recs, cobrs] = [new Map<number, Loc>(), new Map<string, Rec>(), new Map<string, Cobr>()];
  const owed = { pix: new Set<string>(), recs: new Set<string>(), cobsr: new Set<string>() };
  const clock = { at: undefined as Date | undefined };
  const now = () => clock.at ?? realNow();
  const today = () => localTime(now()).slice(0, 10);

  const routes: [method: string, path: RegExp, answer: (names: string[], asked: Asked) => Answer][] = [
    ["POST", /^\/locrec$/, () => ({ status: 201, body: makeLoc() })],
    ["POST", /^\/rec$/, (_, { body }) => makeRec(body)],
    ["GET", /^\/rec$/, (_, { query }) => listRecs(query)],
    ["GET", /^\/rec\/([^/]+)$/, ([id = ""], { query }) => answerRec(id, query.get("txid"))],
    ["PATCH", /^\/rec\/([^/]+)$/, ([id = ""]) => cancelRec(id)],
    ["PUT", /^\/cobr\/([^/]+)$/, ([txid = ""], { body }) => makeCobr(txid, body)],
    ["GET", /^\/cobr\/([^/]+)$/, ([txid = ""]) => answerCobr(txid)],
    ["PATCH", /^\/cobr\/([^/]+)$/, ([txid = ""]) => change(txid, 200, (doc) => cancelledByReceiver(doc, today()))],
    ["POST", /^\/cobr\/([^/]+)\/retentativa\/([^/]+)$/, ([txid = "", date = ""]) => retry(txid, date)],
  ];

  function makeLoc(): Loc {
    const id = locs.size + 1;
    const loc = { id, location: `psp.example/v2/rec/${newAlphanumeric(20)}`, criacao: realNow().toISOString() };
    locs.set(id, loc);
    return loc;
  }

  function makeRec(body: unknown): Answer {
    const { data } = RecBody.safeParse(body);
    const { loc: locId, ...terms } = data ?? {};
    const loc = locs.get(locId ?? 0);
    if (!data || !loc || loc.idRec || data.calendario.dataInicial < today())
      return problem(400, "RecOperacaoInvalida", "A recorrência não respeita o schema, ou a location está em uso.");
    const idRec = `RR${ISPB}${today().replaceAll("-", "")}${newAlphanumeric(11)}`;
    const { ativacao } = data;
    const doc = {
      ...{ ...terms, idRec, recebedor: RECEIVER, status: "CRIADA", atualizacao: [] },
      ativacao: { tipoJornada: "AGUARDANDO_DEFINICAO", ...ativacao },
    } as unknown as RecDoc;
    loc.idRec = idRec;
    const rec: Rec = { doc: moved(doc, "CRIADA"), loc, account: "enough", madeAt: now() };
    recs.set(idRec, rec);
    return { status: 201, body: presentRec(rec) };
  }

  function listRecs(query: URLSearchParams): Answer {
    const [inicio, fim] = [query.get("inicio") ?? "", query.get("fim") ?? ""];
    const isOf = ({ doc: { vinculo }, madeAt }: Rec) =>
      (query.get("cpf") ?? vinculo.devedor.cpf) === vinculo.devedor.cpf &&
      (query.get("cnpj") ?? vinculo.devedor.cnpj) === vinculo.devedor.cnpj &&
      madeAt.toISOString() >= inicio &&
      madeAt.toISOString() <= fim;
    const all = [...recs.values()].filter(isOf).map(presentRec);
    const paginacao = {
      ...{ paginaAtual: 0, itensPorPagina: Number(query.get("paginacao.itensPorPagina") ?? 100) },
      ...{ quantidadeDePaginas: 1, quantidadeTotalDeItens: all.length },
    };
    return { status: 200, body: { parametros: { inicio, fim, paginacao }, recs: all } };
  }

  function answerRec(id: string, txid: string | null): Answer {
    const rec = recs.get(id);
    if (!rec) return problem(404, "RecNaoEncontrada");
    const first = rec.doc.ativacao.dadosJornada?.txid;
    if (txid && txid !== first) return problem(400, "RecConsultaInvalida", "O parâmetro txid é de outra cobrança.");
    const cob = txid ? psp.cobs.get(txid) : undefined;
    const charge = cob && { url: `psp.example/v2/${txid}`, amount: centsOf(cob.amount) ?? 0, reusable: false };
    const names = { merchantName: "PSP", merchantCity: "BRASILIA", recurrenceUrl: rec.loc?.location ?? "" };
    const dadosQR = { jornada: cob ? "JORNADA_3" : "JORNADA_2", pixCopiaECola: writeBrCode({ ...names, ...charge }) };
    return { status: 200, body: { ...presentRec(rec), dadosQR } };
  }

  const presentRec = ({ doc, loc }: Rec) => ({ ...doc, ...(loc && { loc }) });

  function cancelRec(id: string): Answer {
    const rec = recs.get(id);
    if (!rec) return problem(404, "RecNaoEncontrada");
    if (!end(rec, "USUARIO_RECEBEDOR"))
      return problem(400, "RecOperacaoInvalida", "A recorrência encontra-se expirada, cancelada ou rejeitada.");
    return { status: 200, body: presentRec(rec) };
  }

  /** Cancels a mandate and its debits under way. */
  function end(rec: Rec, solicitante: "USUARIO_RECEBEDOR" | "USUARIO_PAGADOR"): boolean {
    if (rec.doc.status !== "CRIADA" && rec.doc.status !== "APROVADA") return false;
    const codigo = solicitante === "USUARIO_PAGADOR" ? "SLDB" : "SLCR";
    const encerramento = { cancelamento: { solicitante, codigo, descricao: "Cancelamento da recorrência" } };
    move(rec, "CANCELADA", { encerramento });
    for (const cobr of debitsOf(rec.doc.idRec))
      if (cobr.doc.status === "CRIADA" || cobr.doc.status === "ATIVA")
        save(cobr, cancelled(cobr.doc, solicitante, "CCLD"));
    return true;
  }

  function move(rec: Rec, status: RecDoc["status"], more: Partial<RecDoc> = {}): void {
    rec.doc = moved(rec.doc, status, more);
    owed.recs.add(rec.doc.idRec);
  }

  function save(cobr: Cobr, doc: CobrDoc): void {
    cobr.doc = doc;
    owed.cobsr.add(doc.txid);
  }

  const debitsOf = (idRec: string) => [...cobrs.values()].filter(({ doc }) => doc.idRec === idRec);

  function makeCobr(txid: string, body: unknown): Answer {
    const { data } = CobrBody.safeParse(body);
    const rec = recs.get(data?.idRec ?? "");
    const fault =
      !data || !rec || cobrs.has(txid) || !/^[a-zA-Z0-9]{26,35}$/.test(txid)
        ? "A cobrança não respeita o schema, ou o txid está em uso."
        : faultOfDebit(
            rec.doc,
            debitsOf(data.idRec).map(({ doc }) => doc),
            data,
            today(),
          );
    if (!data || !rec || fault) return problem(400, "CobROperacaoInvalida", fault);
    const { recebedor, ...order } = data;
    const { dataDeVencimento } = data.calendario;
    const doc = moved(
      {
        ...{ ...order, txid, politicaRetentativa: rec.doc.politicaRetentativa, atualizacao: [] },
        ...{ calendario: { criacao: today(), dataDeVencimento }, status: "CRIADA" },
        tentativas: [attempt("AGND", dataDeVencimento, { payer: null })],
      } as CobrDoc,
      "CRIADA",
    );
    cobrs.set(txid, { doc, recebedor });
    const { tentativas: _, politicaRetentativa: __, atualizacao: ___, ...made } = doc;
    return { status: 201, body: { ...made, recebedor: { ...RECEIVER, ...recebedor } } };
  }

  function answerCobr(txid: string): Answer {
    const cobr = cobrs.get(txid);
    return cobr ? { status: 200, body: presentCobr(cobr) } : problem(404, "CobRNaoEncontrado");
  }

  const presentCobr = ({ doc, recebedor }: Cobr) => ({ ...doc, recebedor });

  function retry(txid: string, date: string): Answer {
    if (!z.iso.date().safeParse(date).success && cobrs.has(txid)) return problem(400, "CobROperacaoInvalida");
    return change(txid, 201, (doc) => {
      const fault = faultOfRetry(doc, date, today());
      return fault ?? { ...doc, tentativas: [...doc.tentativas, attempt("NTAG", date, { payer: null })] };
    });
  }

  function change(txid: string, status: number, next: (doc: CobrDoc) => CobrDoc | string): Answer {
    const cobr = cobrs.get(txid);
    if (!cobr) return problem(404, "CobRNaoEncontrado");
    const changed = next(cobr.doc);
    if (typeof changed === "string") return problem(400, "CobROperacaoInvalida", changed);
    cobr.doc = changed;
    return { status, body: presentCobr(cobr) };
  }

  const recOf = (id: string): Rec => {
    const rec = recs.get(id);
    if (!rec) throw new Error(`No mandate is ${id}`);
    return rec;
  };

  function authorise(rec: Rec, tipoJornada: string): void {
    if (rec.doc.status === "APROVADA") return;
    if (rec.doc.status !== "CRIADA") throw new Error(`The mandate is ${rec.doc.status}`);
    move(rec, "APROVADA", { ativacao: { ...rec.doc.ativacao, tipoJornada } });
  }

  /** The payer pays a code with a charge, and by that authorises its mandate. The same end-to-end id pays once. */
  function payCode({ code, amount, endToEndId }: { code: string; amount?: number; endToEndId?: string }) {
    const { url, recurrenceUrl } = parseBrCode(code);
    const txid = url?.split("/").at(-1) ?? "";
    const cob = psp.cobs.get(txid);
    const earlier = endToEndId ? psp.pixes.get(endToEndId) : undefined;
    if (earlier?.txid === txid) return earlier;
    const rec = [...recs.values()].find(({ loc }) => loc && loc.location === recurrenceUrl);
    const isPayable = cob?.status === "ATIVA" && (!recurrenceUrl || rec?.doc.status === "CRIADA");
    if (earlier || !isPayable || (amount && amount !== centsOf(cob.amount))) throw new Error("The code cannot be paid");
    const pix = psp.pay({ txid, ...(endToEndId && { endToEndId }) });
    owed.pix.add(pix.endToEndId);
    if (rec) authorise(rec, "JORNADA_3");
    return pix;
  }

  const payer: AutomaticSimulation = {
    authorise: async (id) => authorise(recOf(id), "JORNADA_2"),

    async refuse(id) {
      const rejeicao = { codigo: "AP13", descricao: "Rejeitada pelo usuário pagador" };
      move(recOf(id), "REJEITADA", { encerramento: { rejeicao } });
    },

    async cancel(id) {
      if (!end(recOf(id), "USUARIO_PAGADOR")) throw new Error("The mandate has ended");
    },

    async setAccount(id, state) {
      recOf(id).account = state;
    },

    /** The PSP's day is that of `at` from now on. */
    async passDays(ids, at) {
      clock.at = at;
      const changed = { mandateIds: [] as string[], txids: [] as string[] };
      for (const rec of ids.map(recOf)) {
        if (rec.doc.status === "CRIADA" && today() > rec.doc.calendario.dataInicial) {
          move(rec, "EXPIRADA");
          changed.mandateIds.push(rec.doc.idRec);
        }
        if (rec.doc.status === "APROVADA" && rec.account !== "away") changed.txids.push(...passFor(rec));
      }
      return changed;
    },
  };

  function passFor(rec: Rec): string[] {
    return debitsOf(rec.doc.idRec).flatMap((cobr) => {
      const doc = nextOf(cobr.doc, rec, today());
      if (doc === cobr.doc) return [];
      save(cobr, doc);
      const [pix] = doc.pix ?? [];
      if (pix) {
        psp.pay({ txid: doc.txid, endToEndId: pix.endToEndId, amount: centsOf(pix.valor) ?? 0 });
        owed.pix.add(pix.endToEndId);
      }
      return [doc.txid];
    });
  }

  /** Calls back about all that has changed since. Resolves to our statuses. */
  async function notify(): Promise<number[]> {
    const all = <T>(ids: Set<string>, read: (id: string) => T) => [...ids].map(read);
    const lists: [path: string, body: object][] = [
      ["/pix", { pix: all(owed.pix, (id) => psp.pixes.get(id)) }],
      ["/rec", { recs: all(owed.recs, (id) => recs.get(id)?.doc) }],
      ["/cobr", { cobsr: all(owed.cobsr, (id) => cobrs.get(id)?.doc) }],
    ];
    const some = lists.filter(([, body]) => Object.values(body).flat().length > 0);
    forget();
    return Promise.all(some.map(([path, body]) => psp.post(path, body)));
  }

  /** The callbacks that it owes are lost. */
  function forget(): void {
    for (const ids of Object.values(owed)) ids.clear();
  }

  return { routes, recs, cobrs, owed, clock, payer, payCode, notify, forget };
}

const money = z.string().regex(/^\d{1,10}\.\d{2}$/);
const name = { nome: z.string().min(1).max(140) };

const RecBody = z.object({
  vinculo: z.object({
    contrato: z.string().regex(/^[a-zA-Z0-9]{1,35}$/),
    objeto: z
      .string()
      .refine((text) => [...text].length <= 35)
      .optional(),
    devedor: z.union([
      z.object({ ...name, cpf: z.string().regex(/^\d{11}$/) }),
      z.object({ ...name, cnpj: z.string().regex(/^[0-9A-Z]{14}$/) }),
    ]),
  }),
  calendario: z.object({
    dataInicial: z.iso.date(),
    periodicidade: z.enum(["SEMANAL", "MENSAL", "TRIMESTRAL", "SEMESTRAL", "ANUAL"]),
  }),
  valor: z.object({ valorRec: money.refine((text) => Boolean(centsOf(text))) }).optional(),
  politicaRetentativa: z.enum(["NAO_PERMITE", "PERMITE_3R_7D"]),
  loc: z.int(),
  ativacao: z.object({ dadosJornada: z.object({ txid: z.string().regex(/^[a-zA-Z0-9]{26,35}$/) }) }).optional(),
});

const CobrBody = z.object({
  idRec: z.string().length(29),
  calendario: z.object({ dataDeVencimento: z.iso.date() }),
  valor: z.object({ original: money.refine((text) => Boolean(centsOf(text))) }),
  ajusteDiaUtil: z.boolean(),
  infoAdicional: z.string().max(140).optional(),
  recebedor: z.object({
    agencia: z.literal(ACCOUNT.agencia),
    conta: z.literal(ACCOUNT.conta),
    tipoConta: z.literal(ACCOUNT.tipoConta),
  }),
});
