import { staffRecordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { Seller } from "@/components/operator/detail";
import { notesQuery, sellerQuery } from "@/components/operator/queries";
import { readNotes } from "@/lib/account-notes/read";
import { readSellerForStaff } from "@/lib/dashboard/seller";

export const generateMetadata = titled("operator", "account");

export default staffRecordPage({
  texts: ["balance", "timeline", "deliveries", "card"],
  subject: "account",
  reads: (_, id) => [
    [sellerQuery(id), () => readSellerForStaff(id)],
    [notesQuery(id), () => readNotes(id)],
  ],
  shows: Seller,
});
