import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { readNumber } from "@/lib/ids";
import { type InviteRow, inviteColumns, withOffer } from "@/lib/subscription-splits/present";

/** A split by its number, with its offer. Throws `split_not_found` for one that the transaction does not see. */
export async function readInvite(tx: Tx, id: number): Promise<InviteRow> {
  const text = `select ${inviteColumns} from plan_splits s ${withOffer} where s.id = $1`;
  const [row] = await tx.$queryRawUnsafe<InviteRow[]>(text, id);
  if (!row) throw new AppError("split_not_found");
  return row;
}

/** The number in a path. Throws `split_not_found` for anything that is no number of a record. */
export function splitIdOf(text: string): number {
  const id = readNumber(text);
  if (id === undefined) throw new AppError("split_not_found");
  return id;
}
