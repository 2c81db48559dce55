import { staffReportPage } from "@/app/report-page";
import { titled } from "@/app/titled";
import { QueuePage } from "@/components/operator/queue";
import { queueQuery } from "@/components/operator/report-queries";
import { readQueue } from "@/lib/queue/read";
import { QueueQuery } from "@/lib/queue/schema";

export const generateMetadata = titled("reports", "queue.title");

export default staffReportPage({
  texts: ["reports"],
  filters: QueueQuery,
  query: queueQuery,
  read: readQueue,
  shows: QueuePage,
});
