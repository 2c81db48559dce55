import { simulator } from "@/lib/rails/pix/simulator/adapter";

/** What we need from a provider that moves Pix for us. An adapter translates; it decides nothing. Amounts are cents. */
export type PixRail = {
  /** Names the rail in `/callbacks/pix/{provider}`, in the inbox and in job payloads. */
  provider: string;

  /** The BR Code of a charge; no I/O. Throws RangeError when amount or txid do not fit one. */
  issueCode(charge: {
    /** 1 to 25 letters and digits; comes back with the money. */
    txid: string;
    amount: number;
    merchantName: string;
    merchantCity: string;
    description?: string | null;
  }): string;

  /**
   * Reads a callback whose signature and time are right. Null: forged, or more than 300 s away from `now`.
   * Throws SyntaxError when it is signed but says nothing we understand.
   */
  verifyCallback(headers: Headers, rawBody: string, now: Date): Callback | null;

  /** The truth about one payment, or null when the rail does not know it. Throws when the rail does not answer. */
  received(endToEndId: string): Promise<Receipt | null>;

  /** Every payment received at or after `since`, oldest first, page by page. Throws when the rail does not answer. */
  receivedSince(since: Date): AsyncIterable<Receipt>;

  /** Only simulated rails: plays the payer. The same `endToEndId` twice pays once. Throws when the rail refuses. */
  pay?(payment: { code: string; amount?: number; payer?: Partial<Payer>; endToEndId?: string }): Promise<Receipt>;
};

/** What a callback is trusted to say: that something happened, and to what. `payload` is kept in the inbox. */
export type Callback = { eventId: string; endToEndId: string; payload: Record<string, string> };

/** Money that arrived. `txid` is `***` when the payer's code had none; `paidAt` is the rail's clock. */
export type Receipt = { endToEndId: string; txid: string; amount: number; payer: Payer; paidAt: Date };

export type Payer = { name: string; document: string; ispb: string };

const rails: ReadonlyMap<string, PixRail> = new Map([[simulator.provider, simulator]]);

/** The rail that an account of this mode charges on. Null: none is configured, as for live accounts today. */
export const railFor = (mode: "live" | "sandbox"): PixRail | null => (mode === "sandbox" ? simulator : null);

/** The rail of a callback or a job. Null for a name that is none. */
export const railNamed = (provider: string): PixRail | null => rails.get(provider) ?? null;

export const everyRail = () => rails.values();
