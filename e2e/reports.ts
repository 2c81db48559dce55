import { readFileSync } from "node:fs";

/** A violation that a test provokes has this in the address that is blocked. */
export const PROVOKED = "/provoked-by-a-test";

type Report = { directive: string; blocked?: string; document?: string; source?: string };

/** All that browsers have reported of our policies, as it stands in the server's log. */
export const readReports = (): Report[] =>
  readFileSync(process.env.SERVER_LOG ?? "", "utf8")
    .split("\n")
    .filter((line) => line.endsWith('"msg":"csp report"}'))
    .map((line) => JSON.parse(line));

/**
 * After the whole run: no page of ours did what its policy forbids. A site that frames us without being listed is
 * refused by the same policy, so that report is expected.
 */
export default function expectNoReports() {
  const wrong = readReports().filter(
    (report) => report.directive !== "frame-ancestors" && !report.blocked?.includes(PROVOKED),
  );
  if (wrong.length > 0) throw new Error(`A content security policy was violated:\n${JSON.stringify(wrong, null, 2)}`);
}
