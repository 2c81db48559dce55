import { currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, prisma, queryOf } from "@/lib/db";
import { failureOf } from "@/lib/differences/failure";
import { COMPARE, SETTLED_MS } from "@/lib/differences/run";
import type { CompareBody, Comparisons, Figures } from "@/lib/differences/schema";
import { AppError, invalid } from "@/lib/errors";
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
        ...{ figures: figures ? (counted as Figures) : null, found },
        failure: failure === null ? null : failureOf({ failure }),
      };
    }),
    meta: { providers },
  };
}

/**
 * Lets a worker compare days with a PSP now, for the operator's staff. Of today only what has settled is compared. Throws 422
 * at `provider` for one that is not connected and at `from` for a time to come, and `comparison_under_way` while one that was
 * asked for with this PSP has not ended.
 */
export async function compareDays({ provider, from, to }: CompareBody): Promise<{ message: string }> {
  const [since, settled] = [startOfDay(from), new Date(realNow().getTime() - SETTLED_MS)];
  const end = endOfDay(to);
  const until = end < settled ? end : settled;
  if (since >= until) throw invalid({ from: ["Este dia ainda não pode ser comparado."] });
  await forAccount(PLATFORM, async (tx) => {
    const query = queryOf(tx);
    const [connected] = await query("comparison_provider", PROVIDER, [provider]);
    if (!connected) throw invalid({ provider: ["Não há um provedor com este nome."] });
    const values = [newId(), provider, since, until, currentActor().id ?? PLATFORM];
    const [asked] = await query<{ id: string }>("comparison_ask", ASK, values);
    if (!asked) throw new AppError("comparison_under_way");
    await runNow(query, COMPARE);
    const after = { provider, from, to };
    await recordChange(tx, { accountId: PLATFORM, subject: "comparison", id: asked.id, verb: "created", after });
  });
  return { message: "A comparação começa em instantes." };
}

/** Who asks for one waits for who asked before, so that there is one. */
const PROVIDER = "select from pix_providers where name = $1 for update";

const ASK = `insert into rail_comparisons (id, provider, since, until, returns_since, asked_by)
  select $1::uuid, $2, $3::timestamptz, $4::timestamptz, $3::timestamptz, $5::uuid
  where not exists (select from rail_comparisons where provider = $2 and asked_by is not null and ended_at is null)
  returning id`;
