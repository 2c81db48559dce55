import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { RefundPage } from "@/components/refunds/detail";
import { refundQuery } from "@/components/refunds/queries";
import { readRefundDetail } from "@/lib/dashboard/refund";
import { idOfCode } from "@/lib/refunds/record";

export const generateMetadata = titled("refunds", "one");

export default recordPage({
  texts: ["refunds", "timeline", "deliveries", "card"],
  scope: "refunds:read",
  feature: "refunds",
  subject: "refund",
  isId: (text) => idOfCode(text) !== undefined,
  reads: (account, code) => [
    [refundQuery(account.id, code), async () => ({ data: await readRefundDetail(account, code) })],
  ],
  shows: RefundPage,
});
