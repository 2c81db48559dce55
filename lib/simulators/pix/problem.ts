import { json } from "@/lib/http/answer";

type Kind =
  | "RecNaoEncontrada"
  | "RecOperacaoInvalida"
  | "CobRNaoEncontrado"
  | "CobROperacaoInvalida"
  | "CobNaoEncontrado"
  | "CobOperacaoInvalida"
  | "PixNaoEncontrado"
  | "PixDevolucaoNaoEncontrada"
  | "PixDevolucaoInvalida"
  | "ChaveNaoEncontrada"
  | "PagamentoNaoEncontrado"
  | "PagamentoInvalido";

/** An error in the form of the Central Bank's API Pix (`Problema`): 404 for what is not found, else 400. */
export function problem(kind: Kind, razao: string): Response {
  const status = /NaoEncontrad[ao]$/.test(kind) ? 404 : 400;
  const type = `https://pix.bcb.gov.br/api/v2/error/${kind}`;
  return json(status, { type, title: kind, status, detail: razao, violacoes: [{ razao }] });
}
