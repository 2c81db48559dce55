import type { Publication, PublicationPage } from "@/lib/audit-log/schema";
import { queryOf, readForStaff } from "@/lib/db";
import { FIRST_ID } from "@/lib/lists/period";
import { iso } from "@/lib/time/clock";

/** How many publications are listed. */
const SHOWN = 30;

/** The latest publications of all chains, the last first. */
export const listPublications = (): Promise<PublicationPage> =>
  readForStaff(async (tx) => {
    const rows = await tx.auditPublication.findMany({ orderBy: { id: "desc" }, take: SHOWN });
    return {
      data: rows.map(
        ({ id, root, accounts, links, faults, publishedAt }): Publication => ({
          ...{ id, accounts, faults, links: Number(links), published_at: iso(publishedAt) },
          root: Buffer.from(root).toString("hex"),
        }),
      ),
    };
  });

const CHUNK = 1_000;

/** The latest mark of each account, in the order of which the root is made, in batches of records of a CSV file. */
export async function* exportHeads() {
  let after: string | undefined = FIRST_ID;
  do {
    const chunk: Head[] = await readForStaff((tx) => queryOf(tx)<Head>("", HEADS, [after, CHUNK]));
    yield chunk.map(({ accountId, sequence, hash }) => [accountId, sequence, hash]);
    after = chunk.length === CHUNK ? chunk.at(-1)?.accountId : undefined;
  } while (after);
}

type Head = { accountId: string; sequence: string; hash: string };

const HEADS = `select distinct on (account_id) account_id as "accountId", sequence::text, encode(hash, 'hex') as hash
  from audit_marks where account_id > $1::uuid order by account_id, sequence desc limit $2::int`;
