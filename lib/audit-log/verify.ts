import { CONTENT, DIGEST, WRITTEN } from "@/lib/audit-log/link-events";
import { printed } from "@/lib/audit-log/printed";
import { rootsOf } from "@/lib/audit-log/root";
import { asSystem, type Query, queryOf, transactionOverAll } from "@/lib/db";
import { LINKED_BY, waitingFor } from "@/lib/events/outbox";
import { digitsOf, sha256 } from "@/lib/ids";
import { FIRST_ID } from "@/lib/lists/period";
import type { Found } from "@/lib/reconcile/check";

/** What is wrong with a chain, or with an event that is in none. */
export type AuditFault = Required<Pick<Found, "accountId" | "detail">> & {
  fault:
    | "event_altered"
    | "event_missing"
    | "event_inserted"
    | "event_moved"
    | "chain_cut"
    | "chain_rewritten"
    | "root_differs";
  /** The event; empty where nobody can tell which it was. */
  id: string;
};

/** Up to which link a chain is as it was written. */
export type Verified = { accountId: string; sequence: number; hash: Buffer };

/** How many links or events are read at once, and the chains of how many accounts are looked for. */
const LINKS = 5_000;
const ACCOUNTS = 1_000;
/** How many links are verified again at most. */
const AGAIN = 500_000;
/** How long all that was published may be compared. */
const TIMEOUT_MS = 5 * 60_000;

/**
 * Verifies the chains of all accounts, or of one. Returns the first fault of each chain: the first event that was altered, is
 * missing, was inserted or stands at another place than it was written at; and every event that is in no chain and does
 * not wait to be linked, as do those of before the chains until a loop has come to them. A chain that is shorter than, or differs from, what was published of it is a fault as well, and
 * so is a publication whose marks do not give its root. Events whose content was given up are counted; they verify as what
 * the event says that their erasure left.
 *
 * It asks the database only for rows and for functions of PostgreSQL itself, and makes the hashes of the chains here.
 */
export async function verifyAudit(accountId?: string) {
  const faults: AuditFault[] = [];
  const { verified, redacted } = await verifyChains(faults, { accountId });
  const links = verified.reduce((sum, { sequence }) => sum + sequence, 0);
  const broken = new Set(faults.map((fault) => fault.accountId));
  for (const fault of await unlikeMarks(accountId === undefined ? undefined : [accountId]))
    if (!broken.has(fault.accountId)) faults.push(fault);
  for await (const some of outsideOfChains(accountId)) faults.push(...some);
  const roots = accountId === undefined ? await rootsOf() : [];
  for (const { id, isSame, publishedAt } of roots) {
    const detail = `the marks of the publication of ${publishedAt.toISOString()} do not give its root`;
    if (!isSame) faults.push({ fault: "root_differs", accountId: "", id, detail });
  }
  return { faults, chains: verified.length, links, redacted, roots };
}

type Options = {
  accountId?: string | undefined;
  /** Whether each chain is read from its latest mark on, which was verified before. */
  isSinceMarks?: boolean;
};

type Link = {
  accountId: string;
  sequence: number;
  eventId: string;
  hash: Buffer;
  /** Null where the event is gone. */
  written: Buffer | null;
  isSame: boolean | null;
  salt: string | null;
  /** In hexadecimal; null of content that was given up without an event that says so. */
  digest: string | null;
  texts: [data: string, record: string, actor: string] | null;
};

type Chain = Verified & {
  /** How many links are to be read. */
  left: number;
};

/**
 * Reads chains in the order of their accounts, a set of links at a time, and pushes the first fault of each. Returns how far
 * each chain without a fault was verified, and how many of the events that were read had given up their content.
 */
export async function verifyChains(faults: AuditFault[], { accountId, isSinceMarks = false }: Options = {}) {
  const verified: Verified[] = [];
  let redacted = 0;
  for await (let chains of chainsToRead(accountId, isSinceMarks)) {
    while (chains.length > 0) {
      const some = setOf(chains);
      const going = await transactionOverAll(async (run) => {
        const links = await readLinks(run, some);
        return goOn(run, some, links, faults);
      });
      redacted += going.redacted;
      verified.push(...going.ended);
      chains = [...going.unread, ...chains.slice(some.length)];
    }
  }
  return { verified, redacted };
}

/**
 * Verifies again up to `limit` links of all accounts, after the one at which the last call ended, and after the last of all
 * from the first on. Compares the chains that it comes to with what was published of them. Pushes the first fault of each
 * chain that has none yet.
 */
export async function verifyAgain(faults: AuditFault[], limit = AGAIN): Promise<void> {
  const found: AuditFault[] = [];
  const known = new Set<string>();
  for (let left = limit, isMore = true; isMore && left > 0; left -= LINKS) {
    const set = await transactionOverAll((run) => verifyOn(run, Math.min(left, LINKS)));
    found.push(...set.faults);
    for (const accountId of set.accounts) known.add(accountId);
    isMore = set.isMore;
  }
  found.push(...(await unlikeMarks([...known])));
  for (const fault of found) if (!faults.some(({ accountId }) => accountId === fault.accountId)) faults.push(fault);
}

/** Verifies a set of links from the kept place on, and keeps the place after them; none after the last of all. */
async function verifyOn(run: Query, limit: number) {
  const [place] = await run<Verified>("", PLACE, []);
  const links = await run<Link>("", READ_ON, [place?.accountId ?? FIRST_ID, place?.sequence ?? 0, limit]);
  const [last, isMore] = [links.at(-1), links.length === limit];
  const accounts = [...new Set(links.map(({ accountId }) => accountId))];
  const faults: AuditFault[] = [];
  for (const accountId of accounts) {
    const chain = place?.accountId === accountId ? place : { accountId, sequence: 0, hash: Buffer.alloc(0) };
    const own = links.filter((link) => link.accountId === accountId);
    const fault = await firstFault(run, chain, own);
    if (fault) faults.push({ accountId, ...fault });
  }
  if (last && isMore) await run("", KEEP, [last.accountId, last.eventId]);
  else await run("", BEGIN_ANEW, []);
  return { faults, accounts, isMore };
}

/** SQL: the place with its link; where that is gone, the begin of its account's chain. */
const PLACE = `select w.account_id as "accountId", coalesce(l.sequence, 0)::float8 as sequence, coalesce(l.hash, '') as hash
  from audit_walks w left join audit_links l on l.account_id = w.account_id and l.event_id = w.event_id
  where w.name = 'verify'`;

const KEEP = `insert into audit_walks (name, account_id, event_id) values ('verify', $1::uuid, $2::uuid)
  on conflict (name) do update set account_id = excluded.account_id, event_id = excluded.event_id`;
const BEGIN_ANEW = "delete from audit_walks where name = 'verify'";

/** The first chains, as many as one set of links is of. */
function setOf(chains: readonly Chain[]): Chain[] {
  let links = 0;
  const end = chains.findIndex(({ left }) => {
    links += Math.min(left, LINKS);
    return links > LINKS;
  });
  return chains.slice(0, end === -1 ? chains.length : Math.max(end, 1));
}

/** Goes on in chains with the links that were read of them: those that end here, and those of which more is to be read. */
async function goOn(run: Query, chains: readonly Chain[], links: readonly Link[], faults: AuditFault[]) {
  const [ended, unread]: [Verified[], Chain[]] = [[], []];
  let redacted = 0;
  for (const chain of chains) {
    const own = links.filter(({ accountId }) => accountId === chain.accountId);
    const fault = await firstFault(run, chain, own);
    if (fault) faults.push({ accountId: chain.accountId, ...fault });
    else if (own.length === LINKS) unread.push({ ...chain, left: chain.left - LINKS });
    else ended.push(chain);
    redacted += own.filter(({ salt }) => salt === null).length;
  }
  return { ended, unread, redacted };
}

async function firstFault(run: Query, chain: Verified, links: readonly Link[]): Promise<FaultOf> {
  for (const link of links) {
    const fault = await faultOf(run, chain, link);
    if (fault) return fault;
    Object.assign(chain, { sequence: link.sequence, hash: link.hash });
  }
  return undefined;
}

/** The chains that are to be read, of all accounts or one, by sets of accounts, each from its begin or its latest mark on. */
async function* chainsToRead(accountId: string | undefined, isSinceMarks: boolean): AsyncIterable<Chain[]> {
  if (accountId) return yield [{ accountId, sequence: 0, hash: Buffer.alloc(0), left: LINKS }];
  let after = FIRST_ID;
  for (let isMore = true; isMore; ) {
    const found = await transactionOverAll((run) => run<Head>("", HEADS, [after, ACCOUNTS, isSinceMarks]));
    yield found
      .map(({ last, hash, ...chain }) => ({ ...chain, hash: hash ?? Buffer.alloc(0), left: last - chain.sequence }))
      .filter(({ left }) => left > 0);
    after = found.at(-1)?.accountId ?? after;
    isMore = found.length === ACCOUNTS;
  }
}

type Head = { accountId: string; last: number; sequence: number; hash: Buffer | null };

type FaultOf = Omit<AuditFault, "accountId"> | undefined;

/** What is wrong with the link that is read after a chain that was verified so far. */
async function faultOf(run: Query, chain: Verified, link: Link): Promise<FaultOf> {
  const { sequence, eventId: id, written, hash } = link;
  const expected = chain.sequence + 1;
  if (sequence !== expected) {
    return { fault: "event_missing", id: "", detail: `link ${expected} is gone; the next is ${sequence}` };
  }
  if (written === null) return { fault: "event_missing", id, detail: `the event of link ${sequence} is gone` };
  if (!isContentOf(link)) return { fault: "event_altered", id, detail: `link ${sequence}: its content is another` };
  if (sha256(Buffer.concat([chain.hash, written])).equals(hash)) return undefined;
  return placedElsewhere(run, chain, { ...link, written });
}

/** Whether an event's content has the digest that it must have, printed as this PostgreSQL prints it or as those did that wrote it. */
function isContentOf({ isSame, salt, digest, texts }: Link): boolean {
  if (isSame) return true;
  const text = texts?.map((json) => json && printed(json)).join("\n") ?? "";
  const bytes = Buffer.concat([Buffer.from(digitsOf(salt ?? ""), "hex"), Buffer.from(text)]);
  return sha256(bytes).toString("hex") === digest;
}

/**
 * A link whose hash does not follow from the one before it: whether it was written after another hash of its chain, of those
 * around it. Then it was moved, or what stands between was inserted. Otherwise it was altered, moved from far away, or what was
 * before it is gone.
 */
async function placedElsewhere(run: Query, chain: Verified, link: Link & { written: Buffer }): Promise<FaultOf> {
  const { sequence, eventId: id, written } = link;
  const all = await run<Placed>("", HASHES, [chain.accountId, sequence - LINKS, sequence + LINKS]);
  const places = new Set(all.map(({ hash }) => hash.toString("hex")));
  const before = sequence > LINKS ? all : [{ sequence: 0, hash: Buffer.alloc(0), eventId: "" }, ...all];
  const found = before.find(({ hash }) => places.has(sha256(Buffer.concat([hash, written])).toString("hex")));
  if (!found) {
    const detail = `link ${sequence} does not follow from the one before it: either of them was altered, or one is gone`;
    return { fault: "event_altered", id, detail };
  }
  if (found.sequence >= sequence - 1) {
    return { fault: "event_moved", id, detail: `link ${sequence}: it was written at another place` };
  }
  const inserted = all.find((one) => one.sequence === found.sequence + 1);
  const detail = `link ${found.sequence + 1} was inserted: link ${sequence} was written right after ${found.sequence}`;
  return { fault: "event_inserted", id: inserted?.eventId ?? "", detail };
}

type Placed = { sequence: number; hash: Buffer; eventId: string };

const HASHES = `select sequence::float8 as sequence, hash, event_id as "eventId" from audit_links
  where account_id = $1::uuid and sequence between $2::bigint and $3::bigint order by sequence`;

/** SQL: the chains of up to parameter 2 accounts after parameter 1: their last link, and where parameter 3 says so their latest mark. */
const HEADS = `with recursive chain as (
    (select account_id from audit_links where account_id > $1::uuid order by account_id, sequence limit 1)
    union all
    select (select l.account_id from audit_links l where l.account_id > chain.account_id order by l.account_id, l.sequence limit 1)
    from chain where chain.account_id is not null
  )
  select c.account_id as "accountId", last.sequence::float8 as last, coalesce(mark.sequence, 0)::float8 as sequence, mark.hash
  from (select account_id from chain where account_id is not null limit $2::int) c
  cross join lateral (
    select sequence from audit_links where account_id = c.account_id order by sequence desc limit 1
  ) last
  left join lateral (
    select sequence, hash from audit_marks where account_id = c.account_id order by sequence desc limit 1
  ) mark on $3::boolean
  order by c.account_id`;

const readLinks = (run: Query, chains: readonly Chain[]) =>
  run<Link>("", READ, [chains.map(({ accountId }) => accountId), chains.map(({ sequence }) => sequence), LINKS]);

/** SQL: what is read of links `l`, in the order of their chains. */
const readOf = (links: string) => `select l.account_id as "accountId", l.sequence::float8 as sequence,
    l.event_id as "eventId", l.hash, l.salt, c.digest, c.content = c.digest as "isSame", case when e.id is not null then ${WRITTEN} end as written,
    case when c.content <> c.digest then array[e.data::text, e.record::text, coalesce(e.actor::text, '')] end as texts
  from ${links}
  left join lateral (select * from events where account_id = l.account_id and id = l.event_id offset 0) e on true
  cross join lateral (select encode(sha256(${CONTENT}), 'hex') as content, ${DIGEST} as digest offset 0) c
  order by l.account_id, l.sequence`;

const READ = readOf(`unnest($1::uuid[], $2::bigint[]) as chain(account_id, sequence)
  cross join lateral (
    select * from audit_links l where l.account_id = chain.account_id and l.sequence > chain.sequence
    order by l.sequence limit $3::int
  ) l`);

/** SQL: the next links of all accounts after a place. */
const READ_ON = readOf(`(
    select * from audit_links where (account_id, sequence) > ($1::uuid, $2::bigint)
    order by account_id, sequence limit $3::int
  ) l`);

/** The first mark of each account, of these or all, that its chain does not have as it was published. */
async function unlikeMarks(accountIds: readonly string[] | undefined): Promise<AuditFault[]> {
  const read = (run: Query) =>
    accountIds
      ? run<Mark>("", unlikeMarksOf("m.account_id = any($1::uuid[])"), [accountIds])
      : run<Mark>("", unlikeMarksOf("true"), []);
  const found = await asSystem((tx) => read(queryOf(tx)), { timeoutMs: TIMEOUT_MS });
  return found.map(({ accountId: of, sequence, isCut, publishedAt }) => ({
    ...{ accountId: of, id: "", fault: isCut ? "chain_cut" : "chain_rewritten" },
    detail: isCut
      ? `link ${sequence} is gone, which was published at ${publishedAt.toISOString()}`
      : `link ${sequence} has another hash than was published at ${publishedAt.toISOString()}`,
  }));
}

type Mark = { accountId: string; sequence: number; isCut: boolean; publishedAt: Date };

const unlikeMarksOf = (where: string) => `select distinct on (m.account_id) m.account_id as "accountId",
    m.sequence::float8 as sequence, l.hash is null as "isCut", p.published_at as "publishedAt"
  from audit_marks m join audit_publications p on p.id = m.publication_id
  left join audit_links l on l.account_id = m.account_id and l.sequence = m.sequence
  where ${where} and l.hash is distinct from m.hash
  order by m.account_id, m.sequence`;

/** The events of all accounts, or of one, that are in no chain and do not wait for it. */
async function* outsideOfChains(accountId: string | undefined): AsyncIterable<AuditFault[]> {
  let after = { accountId: accountId ?? FIRST_ID, id: FIRST_ID };
  for (let isMore = true; isMore; ) {
    const values = [after.accountId, after.id, accountId ?? null, LINKS];
    const events = await transactionOverAll((run) => run<Outside>("", OUTSIDE, values));
    yield events
      .filter(({ isOutside }) => isOutside)
      .map((event) => ({
        ...{ fault: "event_inserted", accountId: event.accountId, id: event.id },
        detail: "it is in no chain",
      }));
    const last = events.at(-1);
    if (last) after = last;
    isMore = events.length === LINKS;
  }
}

type Outside = { accountId: string; id: string; isOutside: boolean };

const OUTSIDE = `select e.account_id as "accountId", e.id, not exists (
      select from audit_links l where l.account_id = e.account_id and l.event_id = e.id
    ) and not exists (
      select from ${waitingFor(LINKED_BY)} waiting where waiting.account_id = e.account_id and waiting.event_id = e.id
    ) and not exists (
      select from audit_walks w where w.name = 'link' and (e.account_id, e.id) > (w.account_id, w.event_id)
    ) as "isOutside"
  from (
    select account_id, id from events
    where (account_id, id) > ($1::uuid, $2::uuid) and ($3::uuid is null or account_id = $3::uuid)
    order by account_id, id limit $4::int
  ) e
  order by e.account_id, e.id`;
