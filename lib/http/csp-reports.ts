import { z } from "zod";
import { env } from "@/lib/env";
import { parseJson, readText } from "@/lib/http/body";
import { spendSlotOfAddress } from "@/lib/http/client-address";
import { hideLinks } from "@/lib/http/hide-link";
import { log } from "@/lib/log";
import { hideInPath } from "@/lib/pan/detect";

const PATH = "/csp-reports";
/** One report is about 1 kB, and a browser sends the reports of a minute together. */
const MAX_BYTES = 16_000;
const MAX_REPORTS = 10;
const MAX_LENGTH = 300;

/**
 * A content security policy as headers, with the address that violations are reported to. `report-to` is added only
 * where we are served over TLS: without TLS Chromium ignores its endpoints, and it skips `report-uri` beside it.
 */
export function policyHeaders(directives: string[]): Record<string, string> {
  const policy = [...directives, `report-uri ${PATH}`].join("; ");
  if (!env.APP_URL.startsWith("https:")) return { "content-security-policy": policy };
  return { "content-security-policy": `${policy}; report-to csp`, "reporting-endpoints": `csp="${PATH}"` };
}

/**
 * Logs each violation that a browser reports of a page of ours, and answers 204, also to an empty body. Reports of
 * other sites' pages are not logged; such a page can name us in its own policy. Throws `rate_limit_exceeded`.
 */
export async function receiveCspReports(request: Request, _: unknown, requestId: string): Promise<Response> {
  await spendSlotOfAddress("csp-report-address", request);
  const reports = await read(request).catch(() => []); // cut off, too long, or no JSON
  const ours = `${new URL(env.APP_URL).origin}/`;
  for (const report of reports.slice(0, MAX_REPORTS)) {
    if (report.document?.startsWith(ours)) log.warn({ requestId, ...report }, "csp report");
  }
  return new Response(null, { status: 204 });
}

async function read(request: Request): Promise<Report[]> {
  const type = request.headers.get("content-type");
  const spelled = spellings.get(type?.split(";", 1)[0]?.trim().toLowerCase() ?? "");
  if (!spelled) return [];
  return z.array(Report).parse(spelled.parse(parseJson(await readText(request, MAX_BYTES), type)));
}

/**
 * The form of a report for `report-uri` (CSP level 3, section 5.3), and for `report-to`, which sends several at once.
 */
const spellings = new Map<string, z.ZodType<object[]>>([
  [
    "application/csp-report",
    z.object({ "csp-report": z.looseObject({}) }).transform(({ "csp-report": report }) => [
      {
        directive: report["violated-directive"],
        blocked: report["blocked-uri"],
        document: report["document-uri"],
        source: report["source-file"],
        line: report["line-number"],
      },
    ]),
  ],
  [
    "application/reports+json",
    z.array(z.object({ type: z.literal("csp-violation"), body: z.looseObject({}) })).transform((several) =>
      several.map(({ body }) => ({
        directive: body.effectiveDirective,
        blocked: body.blockedURL,
        document: body.documentURL,
        source: body.sourceFile,
        line: body.lineNumber,
      })),
    ),
  ],
]);

const Place = z
  .string()
  .nullish()
  .transform((text) => (text ? placeOf(text) : undefined));

const Report = z.object({
  directive: z
    .string()
    .regex(/^[a-z-]{1,40}( |$)/) // older browsers add the directive's sources
    .transform((text) => text.split(" ", 1)[0]),
  blocked: Place,
  document: Place,
  source: Place,
  line: z.int().max(9_999_999).nullish(), // too short for a card number
});
type Report = z.output<typeof Report>;

/**
 * Origin and path of an address, because query and fragment may hold a key, without card numbers or links' secrets. An address of another
 * scheme is cut to the scheme (`data:` holds its content); a word, like `inline`, stays as it is.
 */
function placeOf(text: string): string | undefined {
  if (/^[a-z-]{1,40}$/.test(text)) return text;
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname } = new URL(text);
  const place = /^(https?|wss?):$/.test(protocol) ? origin + pathname : protocol;
  return hideLinks(hideInPath(place)).slice(0, MAX_LENGTH);
}
