import { makeTemplate } from "@/lib/testing/own-database";

/** Once before all tests: what own databases are copied from. */
export default async function prepareDatabases() {
  await makeTemplate();
}
