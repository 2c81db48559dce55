import type { Lost } from "@/lib/rails/calls";
import { simulator } from "@/lib/rails/pix/simulator/adapter";

/**
 * What we need from a provider that moves Pix for us. An adapter translates; it decides nothing. Amounts are cents. A
 * charge's code is either issued here, or made by the provider.
 */
export type PixRail = Rail & (StaticCodes | DynamicCodes);

type Rail = {
  /** Names the rail in `/callbacks/pix/{provider}`, in the inbox, in `rail_calls` and in job payloads. */
  provider: string;

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

type StaticCodes = {
  /** The BR Code of a charge; no I/O. Throws RangeError when amount or txid do not fit one. */
  issueCode(
    request: CodeRequest & {
      /** 1 to 25 letters and digits. */
      txid: string;
    },
  ): string;
  requestCode?: never;
};

export type DynamicCodes = {
  issueCode?: never;

  /**
   * Makes a charge at the provider. Asked once for each `txid`. Throws within 8 s when there was no answer, or none
   * that can be read: then it is unknown whether there is a charge, and `findCode` finds it. `lost` where there surely
   * is none: nobody was reached, or the request was not accepted.
   */
  requestCode(
    request: CodeRequest & {
      /** 26 to 35 letters and digits, as the Central Bank's API Pix wants them. */
      txid: string;
      /** How long it can be paid. */
      validMs: number;
    },
  ): Promise<Issued | Lost>;

  /**
   * The charge under our txid; null: the provider does not know it. Throws within 5 s when it does not answer, or
   * answers with another amount.
   */
  findCode(request: { txid: string; amount: number }): Promise<Issued | null>;
};

/** What is charged. Its txid comes back with the money. */
type CodeRequest = { amount: number; merchantName: string; merchantCity: string; description?: string | null };

/** The BR Code that pays a charge. */
export type Issued = { status: "issued"; code: string };

/** What a callback is trusted to say: that something happened, and to what. `payload` is kept in the inbox. */
export type Callback = { eventId: string; endToEndId: string; payload: Record<string, string> };

/** Money that arrived. `txid` is `***` when the payer's code had none; `paidAt` is the rail's clock. */
export type Receipt = { endToEndId: string; txid: string; amount: number; payer: Payer; paidAt: Date };

export type Payer = { name: string; document: string; ispb: string };

const rails: ReadonlyMap<string, PixRail> = new Map([[simulator.provider, simulator]]);

/** The rail that an account of this mode charges on. Null: none is configured, as for live accounts today. */
export const railFor = (mode: "live" | "sandbox"): PixRail | null => (mode === "sandbox" ? simulator : null);

/** The rail of a callback, a call or a job. Null for a name that is none. */
export const railNamed = (provider: string): PixRail | null => rails.get(provider) ?? null;

export const everyRail = () => rails.values();
