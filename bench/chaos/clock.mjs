// node --import of every program: its clock is ahead by the milliseconds that a file holds, which may change at any time.
import { readFileSync } from "node:fs";

const { Date: RealDate } = globalThis;
let shiftMs = 0;

function read() {
  try {
    shiftMs = Number(readFileSync(process.env.CHAOS_CLOCK, "utf8"));
  } catch {
    shiftMs = 0; // no file: a right clock
  }
}

const now = () => RealDate.now() + shiftMs;
read();
setInterval(read, 200).unref();
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
