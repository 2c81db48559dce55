import { readStaff } from "@/lib/accounts/addressee";
import { type Mark, rootOf } from "@/lib/audit-log/root";
import { type AuditFault, type Verified, verifyAgain, verifyChains } from "@/lib/audit-log/verify";
import { asSystem, type Query, queryOf } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import type { MailContent } from "@/lib/mail/templates";
import { writeMails } from "@/lib/mail/write";
import { iso, realNow } from "@/lib/time/clock";

/**
 * Publishes how far the chains of all accounts have come. What is new of each is verified from what was published of it on,
 * and some of what was verified before once more; a chain with a fault keeps its earlier mark, and the fault is logged. Each
 * person of the operator's staff is mailed the one root of all marks, which nobody can change there: a chain that is written
 * anew no longer leads to it, nor does one whose last links are cut off. Where nothing happened since the last publication
 * and nothing is at fault there is no new one. It is safe to run twice.
 */
export async function publishHeads(): Promise<void> {
  const faults: AuditFault[] = [];
  const { verified } = await verifyChains(faults, { isSinceMarks: true });
  await verifyAgain(faults);
  const broken = new Set(faults.map(({ accountId }) => accountId));
  const sound = verified.filter(({ accountId }) => !broken.has(accountId));
  for (const fault of faults) log.error({ fault }, "a chain of events has a fault");
  await asSystem((tx) => publish(queryOf(tx), sound, faults.length), { timeoutMs: TIMEOUT_MS });
}

const TIMEOUT_MS = 15 * 60_000;

async function publish(query: Query, verified: readonly Verified[], faults: number): Promise<void> {
  await query("", ALONE, []);
  const [id, at] = [newId(), realNow()];
  await query("", MARK, [
    id,
    verified.map(({ accountId }) => accountId),
    verified.map(({ sequence }) => sequence),
    verified.map(({ hash }) => Buffer.from(hash).toString("hex")),
  ]);
  const marks = await query<Mark>("", LATEST, []);
  const root = rootOf(marks);
  const [last] = await query<{ root: Uint8Array }>("", LAST, []);
  if (marks.length === 0 || (faults === 0 && last && root.equals(last.root))) return;
  const links = marks.reduce((sum, { sequence }) => sum + sequence, 0);
  await query("", PUBLISH, [id, root, marks.length, links, faults, at]);
  const content: MailContent = {
    template: "audit_published",
    ...{ root: root.toString("hex"), accounts: marks.length, links, faults, at: iso(at) },
    url: `${env.APP_URL}/operator/audit`,
  };
  const staff = await readStaff(query);
  await writeMails(
    query,
    staff.map(({ id: personId, to }) => ({
      ...{ intent: `audit_published:${id}:${personId}`, to, mode: null, accountId: null, content },
    })),
  );
}

/** SQL: one publication at a time, so that each has all marks of those before it. */
const ALONE = "select count(pg_advisory_xact_lock(hashtextextended('audit:publication', 0)))::int as held";

const MARK = `insert into audit_marks (account_id, sequence, hash, publication_id)
  select account_id, sequence, decode(hash, 'hex'), $1::uuid
  from unnest($2::uuid[], $3::bigint[], $4::text[]) as g(account_id, sequence, hash)
  where not exists (select from audit_marks m where m.account_id = g.account_id and m.sequence >= g.sequence)
  order by account_id`;

const LATEST = `select distinct on (account_id) account_id as "accountId", sequence::float8 as sequence, hash
  from audit_marks order by account_id, sequence desc`;

const LAST = "select root from audit_publications order by id desc limit 1";

const PUBLISH = `insert into audit_publications (id, root, accounts, links, faults, published_at)
  values ($1::uuid, $2::bytea, $3::int, $4::bigint, $5::int, $6)`;
