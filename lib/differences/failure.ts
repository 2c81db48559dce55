import { type ComparisonFailure, comparisonFailures } from "@/lib/differences/states";

/** An error of a comparison that has a text of its own on the page; its message is for the log. */
export const failed = (failure: ComparisonFailure, message: string) => Object.assign(new Error(message), { failure });

/** As what the page tells an error of a comparison. */
export const failureOf = (error: unknown): ComparisonFailure => {
  const { failure } = (error ?? {}) as { failure?: unknown };
  return comparisonFailures.find((one) => one === failure) ?? "internal";
};

/** Where more differ, one of both is as a whole not what it seems, and no person could close them one by one. */
export const MAX_DIFFERENCES = 1_000;

export function assertFew(differing: number): void {
  if (differing > MAX_DIFFERENCES) throw failed("too_many", `More than ${MAX_DIFFERENCES} records differ`);
}
