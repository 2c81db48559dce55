import { staffRecordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { Seller } from "@/components/operator/detail";
import { sellerQuery } from "@/components/operator/queries";
import { readSellerForStaff } from "@/lib/dashboard/seller";

export const generateMetadata = titled("operator", "account");

export default staffRecordPage({
  texts: ["balance", "timeline", "deliveries", "card", "ownDocuments", "profileRequests"],
  subject: "account",
  reads: (_, id) => [[sellerQuery(id), () => readSellerForStaff(id)]],
  shows: Seller,
});
