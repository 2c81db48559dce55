import { afterAll, vi } from "vitest";
import type { CrashPoint } from "@/lib/process/crash-points";

/** What is thrown where the process would have been killed. */
export const DEATH = new Error("The process was killed");

/**
 * Lets work die at crash points, for all tests of a file. `dyingAt` runs work that dies at one: there it throws, and whatever it
 * had not committed is undone. Resolves to whether it died.
 */
export function openDeaths() {
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw DEATH;
  });
  afterAll(() => kill.mockRestore());
  return async (point: CrashPoint | undefined, work: () => Promise<unknown>): Promise<boolean> => {
    if (point) process.env.CRASH_AT = point;
    const deaths = kill.mock.calls.length;
    await work().catch((error) => {
      if (error !== DEATH) throw error;
    });
    process.env.CRASH_AT = "";
    return point !== undefined && kill.mock.calls.length > deaths;
  };
}
