import type { Caller } from "@/lib/http/authenticate";
import type { Spent } from "@/lib/rate-limits/spent";

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11) of what a request has spent: of each limit its
 * slots `q` in `w` seconds, and the slots `r` that are left for the next `t` seconds, after which there may be more. A caller
 * who is not known gets them only with what succeeded and with a 429: what is left of a limit would say of every other
 * refusal which of its causes it was.
 */
export function rateLimitHeaders(
  spent: ReadonlyMap<string, Spent>,
  caller: Caller | undefined,
  status: number,
): Record<string, string> {
  const isKnown = caller !== undefined && caller.kind !== "anonymous" && caller.kind !== "page";
  if (spent.size === 0 || !(isKnown || status < 400 || status === 429)) return {};
  const all = [...spent.values()];
  return {
    "ratelimit-policy": all.map(({ limit, quota, windowS }) => `"${limit}";q=${quota};w=${windowS}`).join(", "),
    ratelimit: all
      .map(({ limit, left, moreInS, windowS }) => `"${limit}";r=${left};t=${Math.min(moreInS, windowS)}`)
      .join(", "),
  };
}
