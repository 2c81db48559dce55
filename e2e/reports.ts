import { readFileSync } from "node:fs";

/** Part of the blocked address of every violation that a test provokes. */
export const PROVOKED = "/provoked-by-a-test";

type Report = { directive: string; blocked?: string; document?: string; source?: string };

/** All violations that browsers reported, from the server's log. */
export const readReports = (): Report[] =>
  readFileSync(process.env.SERVER_LOG ?? "", "utf8")
    .split("\n")
    .filter((line) => line.endsWith('"msg":"csp report"}'))
    .map((line) => JSON.parse(line));

/**
 * Expects after the whole run that no page of ours violated its policy. A site that frames us without being listed
 * violates the same policy, so that report is allowed.
 */
export default function expectNoReports() {
  const wrong = readReports().filter(
    (report) => report.directive !== "frame-ancestors" && !report.blocked?.includes(PROVOKED),
  );
  if (wrong.length > 0) throw new Error(`A content security policy was violated:\n${JSON.stringify(wrong, null, 2)}`);
}
