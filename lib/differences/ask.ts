import { currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, prisma, queryOf } from "@/lib/db";
import { COMPARE, SETTLED_MS } from "@/lib/differences/run";
import type { CompareBody, Comparisons, Figures } from "@/lib/differences/schema";
import { invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { runNow } from "@/lib/jobs/timetable";
import { PLATFORM } from "@/lib/ledger/chart";
import { endOfDay, startOfDay } from "@/lib/time/calendar";
import { iso, isoOrNull, realNow } from "@/lib/time/clock";

/** How many comparisons are shown. */
const SHOWN = 30;

/** The newest comparisons with PSPs, and with which there can be one. */
export async function listComparisons(): Promise<Comparisons> {
  const [rows, providers] = await Promise.all([
    prisma().railComparison.findMany({ orderBy: { id: "desc" }, take: SHOWN }),
    prisma().pixProvider.findMany({ orderBy: { name: "asc" }, select: { name: true, title: true } }),
  ]);
  return {
    data: rows.map(({ id, provider, since, until, askedBy, startedAt, endedAt, figures, failure }) => {
      const { found = null, ...counted } = (figures ?? {}) as Partial<Figures> & { found?: number };
      return {
        ...{ id, provider, since: iso(since), until: iso(until), is_asked: askedBy !== null },
        ...{ started_at: isoOrNull(startedAt), ended_at: isoOrNull(endedAt) },
        ...{ figures: figures ? (counted as Figures) : null, found, failure },
      };
    }),
    meta: { providers },
  };
}

/**
 * Lets a worker compare days with a PSP now, for the operator's staff; of today what is old enough to have settled. The same
 * that is still to be made is made once. Throws 422 at `provider` for one that is not connected, and at `from` for a time to
 * come.
 */
export async function compareDays({ provider, from, to }: CompareBody): Promise<{ message: string }> {
  const [since, settled] = [startOfDay(from), new Date(realNow().getTime() - SETTLED_MS)];
  const end = endOfDay(to);
  const until = end < settled ? end : settled;
  if (since >= until) throw invalid({ from: ["Este dia ainda não pode ser comparado."] });
  await forAccount(PLATFORM, async (tx) => {
    const connected = await tx.pixProvider.findUnique({ where: { name: provider }, select: { id: true } });
    if (!connected) throw invalid({ provider: ["Não há um provedor com este nome."] });
    const query = queryOf(tx);
    const id = newId();
    const values = [id, provider, since, until, currentActor().id ?? PLATFORM];
    await query("comparison_ask", ASK, values);
    await runNow(query, COMPARE);
    const after = { provider, from, to };
    await recordChange(tx, { accountId: PLATFORM, subject: "reconcile", id, verb: "created", after });
  });
  return { message: "A comparação começa em instantes." };
}

const ASK = `insert into rail_comparisons (id, provider, since, until, returns_since, asked_by)
  values ($1::uuid, $2, $3::timestamptz, $4::timestamptz, $3::timestamptz, $5::uuid)
  on conflict (provider, since, until) where asked_by is not null and ended_at is null do nothing`;
