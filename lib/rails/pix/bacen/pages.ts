import { z } from "zod";
import type { Turn } from "@/lib/outside/budget";
import { timeouts } from "@/lib/outside/http-client";
import { answered, type Client } from "@/lib/rails/pix/bacen/client";
import { PixConsultados } from "@/lib/rails/pix/bacen/schemas.generated";

/** Records per page: as many as the standard allows. */
export const PAGE = 1_000;
/** A window with more payments is read in halves, because what is read must be put in order. */
const MAX_IN_SLICE = 10_000;
/** A shorter window is not halved: a PSP that counts otherwise than its window says would never be done. */
const MIN_SLICE_MS = 1_000;

type Paid = { paidAt: Date };

/**
 * Payments of a window, oldest first, in parts; one at the border of two halves is in both. `read` reads one of them, and
 * `filter` is what else is asked for, each page in a `turn`. Throws when the PSP does not answer.
 */
export async function* slicesOf<T extends Paid>(
  ask: Client,
  since: Date,
  until: Date,
  read: (one: unknown) => T[],
  { filter = {}, turn = "list" }: { filter?: Readonly<Record<string, string>>; turn?: Turn } = {},
): AsyncGenerator<T[]> {
  const pageOf = async (page: number) => {
    const answer = await ask(pagePath("/pix", since, until, page, filter), { timeoutMs: timeouts.callMs, turn });
    const { parametros, pix = [] } = answered(PaidPixes, answer);
    const { quantidadeTotalDeItens: total } = parametros.paginacao;
    return { total, length: pix.length, payments: pix.flatMap(read) };
  };
  const first = await pageOf(0);
  const lengthMs = until.getTime() - since.getTime();
  if (first.total > MAX_IN_SLICE) {
    if (lengthMs < MIN_SLICE_MS) throw new Error(`The PSP has ${first.total} payments within ${lengthMs} ms`);
    const middle = new Date(since.getTime() + Math.floor(lengthMs / 2));
    yield* slicesOf(ask, since, middle, read, { filter, turn });
    yield* slicesOf(ask, middle, until, read, { filter, turn });
    return;
  }
  const payments = [...first.payments];
  const pages = pagesOf(first, PAGE);
  for (let page = 1; page < pages; page += 1) payments.push(...(await pageOf(page)).payments);
  yield payments.sort((a, b) => a.paidAt.getTime() - b.paidAt.getTime());
}

/** What is asked for a page of a list of what happened in a window, such as "/pix". */
export function pagePath(
  list: string,
  since: Date,
  until: Date,
  page: number,
  filter: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...{ inicio: since.toISOString(), fim: until.toISOString(), ...filter },
    ...{ "paginacao.paginaAtual": String(page), "paginacao.itensPorPagina": String(PAGE) },
  });
  return `${list}?${query}`;
}

/** How many pages a list has by its first one: a PSP may have smaller pages than it was asked for. */
export const pagesOf = ({ total, length }: { total: number; length: number }, asked: number): number =>
  Math.ceil(total / (length || asked));

const PaidPixes = PixConsultados.extend({ pix: z.array(z.unknown()).optional() });
