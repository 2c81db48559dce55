import { AsyncLocalStorage } from "node:async_hooks";

const shiftMs = new AsyncLocalStorage<number>();

/**
 * Lets parts of this process have clocks of their own, until the returned function is called: whatever `withClock` runs,
 * and all that this begins, sees the time that much ahead, as a process on another machine would.
 */
export function openClocks(): () => void {
  const { Date: RealDate } = globalThis;
  const now = () => RealDate.now() + (shiftMs.getStore() ?? 0);
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  return () => void Object.assign(globalThis, { Date: RealDate });
}

export const withClock = <T>(ms: number, run: () => T): T => shiftMs.run(ms, run);
