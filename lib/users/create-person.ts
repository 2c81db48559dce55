import type { Tx } from "@/lib/db";
import type { Prisma } from "@/prisma/client/client";

/** Makes a person who can sign in, and who belongs to no account yet. */
export const createPerson = (tx: Tx, data: Prisma.UserCreateManyInput) => tx.user.create({ data });
