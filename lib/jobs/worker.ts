import { inBackground } from "@/lib/db";
import type { Due } from "@/lib/due/find";
import { startListening } from "@/lib/jobs/listen";
import { type Loop, startLoop } from "@/lib/jobs/loop";
import { log } from "@/lib/log";

/** What a worker does; `lib/jobs/registry.ts` names it all, so that the worker itself knows no noun. */
export type Registry = {
  /** Work that is due in rows, on every worker. */
  loops: readonly Loop[];
  /** What runs all the time until the returned function is called. */
  attempts: readonly {
    name: string;
    due?: readonly Due[];
    start: (failed: (error: unknown) => void) => () => Promise<void>;
  }[];
};

/**
 * Runs loops and attempts until the returned function is called, which waits for the batches and attempts under way. All of
 * it uses the connections of background work. What a worker that vanished had claimed is due again within seconds.
 */
export function startWorker({ loops, attempts }: Registry): () => Promise<void> {
  const failed = (name: string) => (error: unknown) => log.error({ error, name }, "background work failed");
  return inBackground(() => {
    const stops = [
      startListening(failed("wake")),
      ...loops.map((loop) => startLoop(loop, failed(loop.name))),
      ...attempts.map(({ name, start }) => start(failed(name))),
    ];
    return async () => {
      await Promise.all(stops.map((stop) => stop()));
    };
  });
}
