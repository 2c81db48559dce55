import { migrateQueue } from "@/lib/jobs/timetable";
import { makeTemplate } from "@/lib/testing/own-database";

/** Once before all tests: the queue's own tables, which the program's role makes, and what own databases are copied from. */
export default async function prepareDatabases() {
  await migrateQueue();
  await makeTemplate();
}
