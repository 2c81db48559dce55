import { documentTypeOf } from "@/lib/account-documents/type";
import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, queryOf, readFor, type Tx } from "@/lib/db";
import { MAX_EVIDENCE } from "@/lib/disputes/limits";
import { findByCode } from "@/lib/disputes/read";
import type { EvidenceFile } from "@/lib/disputes/schema";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { isId, newId, sha256 } from "@/lib/ids";
import { iso, realNow } from "@/lib/time/clock";
import { openFile, sealFile } from "@/lib/vault/file";

/** What a file of a defence is encrypted for. */
export const evidenceContext = (accountId: string, id: string) => `dispute-file:${accountId}:${id}`;

type Sent = { code: string; name: string; file: Buffer };

/**
 * Keeps a file of a defence that is not sent yet, encrypted. Throws `dispute_not_found`, 422 at `file` for what is no PDF, PNG or
 * JPEG by its bytes, `dispute_defended`, `invalid_transition` for a dispute that has ended, and `evidence_limit_reached`.
 */
export async function sendEvidence(account: AccountContext, { code, name, file }: Sent, { idem }: Intent) {
  const { id: accountId } = account;
  const contentType = documentTypeOf(file);
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const disputeId = await lockUndefended(tx, accountId, code);
      if ((await tx.disputeFile.count({ where: { accountId, disputeId } })) >= MAX_EVIDENCE)
        throw new AppError("evidence_limit_reached");
      const id = newId();
      const row = await tx.disputeFile.create({
        data: {
          ...{ accountId, id, disputeId, name, contentType, size: file.byteLength },
          ...{ sha256: sha256(file).toString("hex"), createdAt: realNow() },
          ...sealFile(file, evidenceContext(accountId, id)),
        },
        select: shown,
      });
      const after = presentFile(row);
      await recordChange(tx, { accountId, subject: "dispute_file", id, verb: "created", after });
      return { data: after };
    }),
  );
}

/** Removes a file of a defence that is not sent yet. Throws as `sendEvidence` does, and `evidence_not_found`. */
export async function deleteEvidence(
  account: AccountContext,
  { code, id }: { code: string; id: string },
  { idem }: Intent,
) {
  const { id: accountId } = account;
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const disputeId = await lockUndefended(tx, accountId, code);
      const row = await tx.disputeFile.findFirst({ where: { accountId, disputeId, id }, select: shown });
      if (!row) throw new AppError("evidence_not_found");
      await tx.disputeFile.deleteMany({ where: { accountId, disputeId, id } });
      await recordChange(tx, { accountId, subject: "dispute_file", id, verb: "removed", before: presentFile(row) });
      return { message: "Arquivo excluído." };
    }),
  );
}

/** The files of a dispute, the oldest first. */
export async function readEvidence(tx: Tx, accountId: string, disputeId: string): Promise<EvidenceFile[]> {
  const rows = await tx.disputeFile.findMany({
    where: { accountId, disputeId },
    select: shown,
    orderBy: { id: "asc" },
  });
  return rows.map(presentFile);
}

const endings: Readonly<Record<string, string>> = {
  "application/pdf": "pdf",
  "image/jpeg": "jpg",
  "image/png": "png",
};

/** A file as it was sent. Throws `evidence_not_found`, also for another account's. */
export async function readEvidenceFile(accountId: string, { code, id }: { code: string; id: string }) {
  const row = await readFor(accountId, async (tx) => {
    const { dispute } = await findByCode(queryOf(tx), accountId, code);
    return isId(id) ? tx.disputeFile.findFirst({ where: { accountId, disputeId: dispute.id, id } }) : null;
  });
  if (!row) throw new AppError("evidence_not_found");
  return {
    contentType: row.contentType,
    name: `contestacao-${id}.${endings[row.contentType]}`,
    bytes: openFile(row, evidenceContext(accountId, id)),
  };
}

const shown = { id: true, name: true, contentType: true, size: true, createdAt: true } as const;

type Row = { id: string; name: string; contentType: string; size: number; createdAt: Date };

const presentFile = ({ id, name, contentType, size, createdAt }: Row): EvidenceFile => ({
  ...{ id, name, content_type: contentType, size, created_at: iso(createdAt) },
});

/** Locks a dispute whose defence is not sent, so that its files are counted one after the other. Returns its id. */
export async function lockUndefended(tx: Tx, accountId: string, code: string): Promise<string> {
  const { dispute } = await findByCode(queryOf(tx), accountId, code);
  const [locked] = await queryOf(tx)<{ status: string; defended: boolean }>("dispute_lock", LOCK, [
    accountId,
    dispute.id,
  ]);
  if (locked?.defended) throw new AppError("dispute_defended");
  if (locked?.status !== "open") throw new AppError("invalid_transition");
  return dispute.id;
}

const LOCK = `select status, defended_at is not null as defended from disputes
  where account_id = $1::uuid and id = $2::uuid for update`;
