import { staffRecordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { Seller } from "@/components/operator/detail";
import { notesQuery, peopleQuery, sellerQuery } from "@/components/operator/queries";
import { readNotes } from "@/lib/account-notes/read";
import { readSellersPeople } from "@/lib/approvals/factor-reset";
import { readSellerForStaff } from "@/lib/dashboard/seller";

export const generateMetadata = titled("operator", "account");

export default staffRecordPage({
  texts: ["balance", "timeline", "deliveries", "card", "ownDocuments", "profileRequests", "payoutStops", "accountRail"],
  subject: "account",
  reads: ({ id: userId }, id) => [
    [peopleQuery(id), () => readSellersPeople({ accountId: id, userId })],
    [sellerQuery(id), () => readSellerForStaff(id)],
    [notesQuery(id), () => readNotes(id)],
  ],
  shows: Seller,
});
