import { setTimeout as pause } from "node:timers/promises";
import { timeouts } from "@/lib/outside/http-client";

/** A request on its way: how its server serves it, an answer of a server in between, and a connection that breaks. */
export type Way<Answer> = {
  serve(): Answer | Promise<Answer>;
  answer(status: number): Answer;
  reset(): Answer | Promise<Answer>;
};

/** Longer than anybody waits for an answer. */
const tooLong = () => pause(timeouts.callMs + 30);
/** What arrives when its caller has long left. */
const late: Promise<unknown>[] = [];

/** Waits for what arrives late. */
export const settleLate = () => Promise.all(late.splice(0));

/** What a network and a provider do to a request. */
export const faults = {
  slow: async ({ serve }) => {
    await pause(Math.min(100, timeouts.findMs / 2));
    return serve();
  },
  "500": async ({ answer }) => answer(500),
  "served, then 502": async ({ serve, answer }) => {
    await serve();
    return answer(502);
  },
  "reset before": async ({ reset }) => reset(),
  "reset after": async ({ serve, reset }) => {
    await serve();
    return reset();
  },
  "never arrives": async ({ reset }) => tooLong().then(reset),
  lost: async ({ serve, reset }) => {
    await serve();
    return tooLong().then(reset);
  },
  "arrives late": async ({ serve, reset }) => {
    late.push(tooLong().then(serve));
    return tooLong().then(reset);
  },
  "arrives twice": async ({ serve }) => {
    await serve();
    return serve();
  },
} as const satisfies Record<string, <Answer>(way: Way<Answer>) => Promise<Answer>>;

export type Fault = keyof typeof faults;
export const faultNames = Object.keys(faults) as Fault[];

/** Plays one fault; where there is none the request arrives. */
export const play = async <Answer>(fault: Fault | undefined, way: Way<Answer>): Promise<Answer> =>
  fault ? faults[fault](way) : way.serve();

/** A fault of the next request by this method at a path that holds this, such as `PUT /devolucao/`. */
export type Planned = { at: string; fault: Fault };

/** The fault of a request by what is planned, which is used up. */
export function takeFault(planned: Planned[], method: string, path: string): Fault | undefined {
  const nth = planned.findIndex(({ at }) => {
    const [by, where = ""] = at.split(" ");
    return by === method && path.includes(where);
  });
  return nth < 0 ? undefined : planned.splice(nth, 1)[0]?.fault;
}

/** The ways of a server whose answers are of the Fetch API: a connection breaks in the middle of one. */
export const halfAnswers = {
  answer: (status: number) => new Response("<html>Bad gateway</html>", { status }),
  reset: () => new Response('{"id":', { status: 201 }),
};
