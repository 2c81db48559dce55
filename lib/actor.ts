import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Who does something: a signed-in person, a program by its credential, an anonymous visitor of a page, a payer by a signed
 * link, a person of the operator's staff, a rail that reports what happened, or this program by itself.
 */
export type Actor = {
  kind: "person" | "credential" | "visitor" | "payer" | "staff" | "rail" | "system";
  /** The user, the client of the credential, or the name of the rail. */
  id?: string;
  /** The session of a person. */
  session?: string;
  /** From where it was asked. */
  ip?: string;
};

const SYSTEM: Actor = { kind: "system" };

/** Which side of a sale an actor is on; null for a rail, and for what time brought. */
export function sideOf(actor: Actor | null): "payer" | "seller" | null {
  const { kind } = actor ?? SYSTEM;
  if (kind === "payer" || kind === "visitor") return "payer";
  return kind === "person" || kind === "credential" ? "seller" : null;
}

/** An act: who does it, for which request, and whether an event says so by now. */
type Act = { actor: Actor; requestId?: string; isRecorded: boolean };

const acts = new AsyncLocalStorage<Act>();

/** Runs what an actor does: each event that it leads to says who that was. */
export const actAs = <T>(actor: Actor, run: () => T, requestId = acts.getStore()?.requestId): T =>
  acts.run({ actor, isRecorded: false, ...(requestId && { requestId }) }, run);

/** Who acts at present. */
export const currentActor = (): Actor => acts.getStore()?.actor ?? SYSTEM;

/** The request for which is acted. */
export const currentRequest = (): string | undefined => acts.getStore()?.requestId;

/** Call when an event of the present act is written, or none is needed because nothing changes. */
export function noteRecorded(): void {
  const act = acts.getStore();
  if (act) act.isRecorded = true;
}

/** Whether an event of the present act was written. */
export const isRecorded = (): boolean => acts.getStore()?.isRecorded ?? false;
