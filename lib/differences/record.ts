import { defineColumns, type Row } from "@/lib/database/json-rows";
import { Prisma, type ReconcileDifference } from "@/prisma/client/client";

const differences = defineColumns<ReconcileDifference>(Prisma.ReconcileDifferenceScalarFieldEnum, {
  theirAmount: "cents",
  ourAmount: "cents",
});

/** SQL: the record that an event keeps of the row, with why it was closed. */
export const recordOf = (row: string) => `jsonb_strip_nulls(
    to_jsonb(${row}) || jsonb_build_object('reason_details', ${row}.reason)
  )`;

/** A difference from the JSON of its row. */
export const differenceOfRow = (row: Row): ReconcileDifference => differences.of(row);
