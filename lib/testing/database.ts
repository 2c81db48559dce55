import { migrateQueue } from "@/lib/jobs/worker";

/** Once before all tests: the queue's own tables, which the program's role makes. */
export default migrateQueue;
