import { createHash } from "node:crypto";
import { asSystem, queryOf } from "@/lib/db";
import { digitsOf } from "@/lib/ids";

/** What is published of a chain. */
export type Mark = { accountId: string; sequence: number; hash: Uint8Array };

/**
 * The root of marks: SHA-256 over those of all accounts in the order of their ids, each account's latest: its id (16 bytes),
 * the link's number (8 bytes, big-endian) and its hash (32 bytes).
 */
export function rootOf(marks: Iterable<Mark>): Buffer {
  const root = createHash("sha256");
  const number = Buffer.alloc(8);
  for (const { accountId, sequence, hash } of marks) {
    number.writeBigInt64BE(BigInt(sequence));
    root
      .update(Buffer.from(digitsOf(accountId), "hex"))
      .update(number)
      .update(hash);
  }
  return root.digest();
}

/** What was published, the oldest first: the root that the kept marks give today, and whether it is the one that was kept. */
export async function rootsOf() {
  return asSystem(
    async (tx) => {
      const publications = await tx.auditPublication.findMany({ orderBy: { id: "asc" } });
      const latest = new Map<string, Mark>();
      let order: string[] = [];
      const roots = [];
      for (const { id, root, publishedAt, accounts, links } of publications) {
        const known = latest.size;
        for (const mark of await queryOf(tx)<Mark>("", OF_PUBLICATION, [id])) latest.set(mark.accountId, mark);
        if (latest.size > known) order = [...latest.keys()].sort();
        const marks = order.flatMap((of) => latest.get(of) ?? []);
        const now = rootOf(marks);
        roots.push({
          id,
          publishedAt,
          accounts,
          links: Number(links),
          root: now.toString("hex"),
          isSame: now.equals(root),
        });
      }
      return roots;
    },
    { timeoutMs: TIMEOUT_MS },
  );
}

const TIMEOUT_MS = 15 * 60_000;

const OF_PUBLICATION = `select account_id as "accountId", sequence::float8 as sequence, hash from audit_marks
  where publication_id = $1::uuid`;
