import { z } from "zod";

/** What waits for one worker: counted to 5,000, and of those `failing` that were tried and failed. */
export const Work = z.object({
  name: z.string(),
  rows: z.int(),
  oldest_seconds: z.int(),
  /** Null of what keeps no count of attempts. */
  failing: z.int().nullable(),
});
export type Work = z.output<typeof Work>;

/** GET /api/operator/v1/jobs */
export const Works = z.object({ data: z.array(Work) });
export type Works = z.output<typeof Works>;
