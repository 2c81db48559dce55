import { defineColumns, type Row } from "@/lib/database/json-rows";
import { Prisma, type UnmatchedReceipt } from "@/prisma/client/client";

const receipts = defineColumns<UnmatchedReceipt>(Prisma.UnmatchedReceiptScalarFieldEnum, { amount: "cents" });

/** SQL: the record that an event keeps of the row, with why it was decided so. Who paid is in the row alone. */
export const recordOf = (receipt: string) => `jsonb_strip_nulls(
    to_jsonb(${receipt}) - 'payer' || jsonb_build_object('reason_details', ${receipt}.decision)
  )`;

/** Unmatched money from the JSON of its row. */
export const unmatchedOf = (row: Row): UnmatchedReceipt => receipts.of(row);
