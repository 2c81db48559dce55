import { recordPage } from "@/app/record-page";
import { titled } from "@/app/titled";
import { DisputePage } from "@/components/disputes/detail";
import { disputeQuery } from "@/components/disputes/queries";
import { readDispute } from "@/lib/disputes/detail";
import { idOfCode } from "@/lib/disputes/record";

export const generateMetadata = titled("disputes", "one");

export default recordPage({
  texts: ["disputes", "timeline", "deliveries", "card"],
  scope: "disputes:read",
  subject: "dispute",
  isId: (text) => idOfCode(text) !== undefined,
  reads: (account, code) => [[disputeQuery(account.id, code), () => readDispute(account.id, code)]],
  shows: DisputePage,
});
