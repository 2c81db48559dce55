import { AsyncLocalStorage } from "node:async_hooks";

/** A limit of which a slot was asked for: how many slots it has in how many seconds, what is left, and when there is more. */
export type Spent = { limit: string; quota: number; windowS: number; left: number; moreInS: number };

const collecting = new AsyncLocalStorage<Map<string, Spent>>();

/** Runs what serves a request, and keeps in `into` what it spends, each limit once, as it was left last. */
export const collectSpent = <T>(into: Map<string, Spent>, run: () => T): T => collecting.run(into, run);

/** Notes what is left of a limit after a slot of it was asked for. */
export const noteSpent = (spent: Spent): void => void collecting.getStore()?.set(spent.limit, spent);
