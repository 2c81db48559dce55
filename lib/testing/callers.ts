import { prisma } from "@/lib/db";
import type { Contract } from "@/lib/http/contract";
import type { Made } from "@/lib/testing/make";
import { cookieOf } from "@/lib/testing/staff";

/**
 * How a seller calls an operation: by its token or, where only a person may, by the session of its owner, who has just proved
 * who they are; where anybody may, by neither.
 */
export async function callerOf({ accountId, email, token }: Made, { auth = "account" }: Contract) {
  if (auth === "none") return {};
  if (!["session", "person"].includes(auth)) return { token };
  const { id } = await prisma().user.findUniqueOrThrow({ where: { email } });
  const cookie = await cookieOf(id, accountId);
  return { headers: { cookie, "x-account": accountId, "sec-fetch-site": "same-origin" } };
}
