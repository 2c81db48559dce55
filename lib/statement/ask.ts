import type { Tx } from "@/lib/db";

/** Reads rows of an account. Numbers come as numbers, and instants as texts of ISO 8601. */
export type Ask = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** The rows come as one text of JSON, because Prisma takes longer for each value of thousands of rows than PostgreSQL. */
export const askIn =
  (tx: Tx): Ask =>
  async <Row>(text: string, values: readonly unknown[]) => {
    const asJson = `select coalesce(json_agg(r), '[]')::text as rows from (${text}) r`;
    const [found] = await tx.$queryRawUnsafe<{ rows: string }[]>(asJson, ...values);
    return JSON.parse(found?.rows ?? "[]") as Row[];
  };
