import { newAlphanumeric } from "@/lib/ids";
import { centsOf, decimal } from "@/lib/money";
import { type Answer, type Asked, BASIC, problem, serveApiPix } from "@/lib/testing/api-pix";
import { realNow } from "@/lib/time/clock";

type Sent = {
  idEnvio: string;
  endToEndId: string;
  valor: string;
  chave: string;
  status: string;
  horario: { solicitacao: string; liquidacao?: string };
  favorecido: { chave: string };
  devolucoes: { rtrId: string; valor: string; horario: string }[];
};

/** An error in the form that Efí has beside the standard's. */
const own = (status: number, nome: string): Answer => ({ status, body: { nome, mensagem: `Recusado: ${nome}` } });

/**
 * A PSP as Efí is by its documentation (dev.efipay.com.br/docs/api-pix): a token for a JSON body, errors of its own, and payouts,
 * which `sent` keeps. `refusals` has the name of the refusal for a key.
 */
export async function serveEfi() {
  const sent = new Map<string, Sent>();
  const refusals = new Map<string, [status: number, nome: string]>();

  const psp = await serveApiPix({
    settings: { profile: "efi" },
    knows: ({ authorization, "content-type": type }, body) =>
      authorization === BASIC && type === "application/json" && body === '{"grant_type":"client_credentials"}',
    writes: (answer) => (OF_PIX.test(kindOf(answer)) ? own(400, "pix_nao_encontrado") : answer),
    serves: (asked) => {
      if (asked.path.startsWith("/v3/gn/pix/") && asked.method === "PUT") return send(asked);
      if (asked.path === "/gn/pix/enviados") return list(asked.query);
      const [, id] = /^\/gn\/pix\/enviados\/id-envio\/(\w+)$/.exec(asked.path) ?? [];
      if (id === undefined) return undefined;
      const found = sent.get(id);
      return found ? { status: 200, body: found } : problem(404, UNKNOWN);
    },
  });

  function send({ path, body }: Asked): Answer {
    const idEnvio = path.slice("/v3/gn/pix/".length);
    const { valor, pagador, favorecido } = body as Record<"valor", string> &
      Record<"pagador" | "favorecido", { chave: string }>;
    if (!/^[a-zA-Z0-9]{1,35}$/.test(idEnvio) || !centsOf(valor)) return own(400, "valor_invalido");
    if (pagador.chave !== psp.settings.pix_key || !psp.webhookUrl) return own(400, "chave_invalida");
    if (sent.has(idEnvio)) return own(409, "id_envio_duplicado");
    const refusal = refusals.get(favorecido.chave);
    if (refusal) return own(...refusal);
    const made: Sent = {
      ...{ idEnvio, endToEndId: `E09089356${stamp()}API${newAlphanumeric(8)}`, valor, chave: pagador.chave },
      ...{ status: "EM_PROCESSAMENTO", horario: { solicitacao: realNow().toISOString() }, favorecido, devolucoes: [] },
    };
    sent.set(idEnvio, made);
    const { endToEndId: e2eId, horario, status } = made;
    return { status: 201, body: { idEnvio, e2eId, valor, horario, status } };
  }

  function list(query: URLSearchParams): Answer {
    const [inicio, fim] = [query.get("inicio") ?? "", query.get("fim") ?? ""];
    const [page, size] = [Number(query.get("paginacao.paginaAtual")), Number(query.get("paginacao.itensPorPagina"))];
    const all = [...sent.values()].filter(({ horario: { solicitacao: at } }) => at >= inicio && at <= fim).reverse();
    const paginacao = { quantidadeDePaginas: Math.ceil(all.length / size), quantidadeTotalDeItens: all.length };
    const parametros = { inicio, fim, paginacao: { ...paginacao, paginaAtual: page, itensPorPagina: size } };
    return { status: 200, body: { parametros, pix: all.slice(page * size, (page + 1) * size) } };
  }

  const one = (id: string): Sent => {
    const found = sent.get(id.replaceAll("-", ""));
    if (!found) throw new Error(`Nothing was sent under ${id}`);
    return found;
  };

  /** Says how a payout ends. */
  function end(id: string, isPaid: boolean): void {
    const { horario } = one(id);
    if (isPaid) horario.liquidacao = realNow().toISOString();
    Object.assign(one(id), { status: isPaid ? "REALIZADO" : "NAO_REALIZADO" });
  }

  /** Its receiver sends cents back. */
  function giveBack(id: string, amount: number): void {
    const rtrId = `D12345678${stamp()}${newAlphanumeric(11)}`;
    one(id).devolucoes.push({ rtrId, valor: decimal(amount), horario: realNow().toISOString() });
  }

  /** Calls back about a payout as it is now. Resolves to our status. */
  function report(id: string): Promise<number> {
    const { idEnvio, endToEndId, chave, status, valor, horario, devolucoes } = one(id);
    const erro = { codigo: "AC03", origem: "PSP do usuário recebedor", motivo: "Conta inexistente" };
    return psp.callBack({
      ...{ endToEndId, chave, tipo: "SOLICITACAO", status, valor, horario: horario.liquidacao ?? null },
      ...{ devolucoes, gnExtras: { idEnvio, ...(status === "NAO_REALIZADO" && { erro }) } },
    });
  }

  return Object.assign(psp, { sent, refusals, end, giveBack, report });
}

const UNKNOWN = "PixEnviadoNaoEncontrado";
/** What the standard answers with 404. */
const OF_PIX = /^Pix(Devolucao)?NaoEncontrado$/;
const kindOf = ({ body }: Answer) => (body as { title?: string } | undefined)?.title ?? "";

const stamp = () => realNow().toISOString().replace(/\D/g, "").slice(0, 12);
