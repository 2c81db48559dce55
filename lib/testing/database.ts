import { migrateQueue } from "@/lib/jobs/timetable";

/** Once before all tests: the queue's own tables, which the program's role makes. */
export default migrateQueue;
