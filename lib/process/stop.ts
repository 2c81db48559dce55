import { closePools } from "@/lib/db";
import { log } from "@/lib/log";

/** How long a stop waits for requests and work under way, and then for the last writes: 14 s in all, with PostgreSQL's own end. */
export const END_WITHIN_MS = 7_000;
const WRITE_WITHIN_MS = 1_000;

type Ends = readonly (() => Promise<unknown>)[];

/** Ends the parts of a process or thread, then writes what it kept to write together, and closes its connections. */
export async function endParts(ends: Ends, writes: Ends) {
  await within(END_WITHIN_MS, Promise.all(ends.map((end) => end().catch(failed))));
  await within(WRITE_WITHIN_MS, Promise.all(writes.map((write) => write())).then(closePools));
}

const failed = (error: unknown) => log.warn({ error }, "a part did not stop in good order");

/** Waits for `work`, but no longer than `ms`. */
async function within(ms: number, work: Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, timeout]);
  clearTimeout(timer);
}
