import type { Turn } from "@/lib/outside/budget";
import type { Lost } from "@/lib/outside/calls";
import type { Callback, CallbackRequest } from "@/lib/outside/inbox";
import type { Disputes } from "@/lib/rails/disputes";
import type { AutomaticPix } from "@/lib/rails/pix/automatic";
import type { ListedPix } from "@/lib/rails/pix/listed";
import type { PixPayouts } from "@/lib/rails/pix/payouts";
import type { Payer, Receipt } from "@/lib/rails/pix/receipt";
import type { SentBack } from "@/lib/rails/sent-back";

/**
 * What we need from a provider that moves Pix for us. An adapter translates and decides nothing. Amounts are cents. A
 * deposit's code is either issued here or made by the provider.
 */
export type PixRail = Rail & (StaticCodes | DynamicCodes);

type Rail = {
  /** The rail's name in `/callbacks/pix/{provider}`, in the inbox and in `calls`. */
  provider: string;

  /**
   * Parses a body that the provider has sent: all callbacks in it, in which "unreadable" stands for each that has another
   * form. Null when it is forged, or signed more than 300 s away from `now`. Throws SyntaxError when it is no list of
   * callbacks.
   */
  verifyCallback(sent: CallbackRequest, now: Date): readonly (PixCallback | "unreadable")[] | null;

  /** The truth about one payment, asked in a `turn`; null when the rail does not know it. Throws when it does not answer. */
  received(endToEndId: string, turn?: Turn): Promise<Receipt | null>;

  /**
   * Every payment received from `since` to `until`, both included, oldest first, page by page. Throws when the rail does
   * not answer.
   */
  receivedWithin(since: Date, until: Date): AsyncIterable<Receipt>;

  /**
   * The same payments with what went back of each, or only those of which something did. `unreadable` is called for each that
   * has another form and is left out. Undefined for a provider that does not list what went back. Throws when it does not
   * answer.
   */
  listReceived?(since: Date, until: Date, which: "all" | "returned", unreadable: () => void): AsyncIterable<ListedPix>;

  /**
   * Sends money of a payment back to its payer. A repeat under our `id`, of letters and digits, is made once. Throws within
   * 8 s when no answer came, or none that can be parsed: it is then unknown. `lost` where surely nothing was sent. `isRepeat`
   * where the same was asked for some minutes ago at most and had no answer: a refusal then tells nothing, because an id that
   * was taken may not be found yet.
   */
  sendBack(refund: { endToEndId: string; id: string; amount: number; isRepeat?: boolean }): Promise<SentBack | Lost>;

  /** What became of it; null when the rail does not know our id. Throws when it does not answer within 5 s of its `turn`. */
  findSentBack(refund: { endToEndId: string; id: string }, turn?: Turn): Promise<SentBack | null>;

  /** Undefined for a provider without Pix Automático, or whose settings leave it out at present. */
  automatic?: AutomaticPix | undefined;

  /** Undefined for a provider that sends no money to keys. */
  payouts?: PixPayouts | undefined;

  /** Disputes of its payments (MED). Undefined for a provider that reports none. */
  disputes?: Disputes;

  /**
   * Has the provider call us back at this address, unless it does so already. Undefined for a provider that knows where its
   * client is. Throws when the provider refuses or does not answer.
   */
  callBackAt?(url: string): Promise<void>;

  /** Whether the provider calls us back at this address. There where `callBackAt` is. Throws when it does not answer. */
  callsBackAt?(url: string): Promise<boolean>;

  /** Only simulated rails: says how what is sent back ends. Returns false where it has ended. */
  endSentBack?(refund: { endToEndId: string; id: string; isCompleted: boolean }): Promise<boolean>;

  /** Only simulated rails: plays the payer. The same `endToEndId` twice pays once. Throws when the rail refuses. */
  pay?(payment: { code: string; amount?: number; payer?: Partial<Payer>; endToEndId?: string }): Promise<Receipt>;
};

type StaticCodes = {
  /** Writes a BR Code without I/O. Throws RangeError when amount or txid do not fit. */
  issueCode(
    request: CodeRequest & {
      /** 1 to 25 letters and digits. */
      txid: string;
    },
  ): string;
  requestCode?: never;
  admitCode?: never;
};

export type DynamicCodes = {
  issueCode?: never;

  /**
   * Takes the provider's room for one request of a code of this account, before anything is written. Resolves to 0, or in how many ms there
   * may be room. Undefined for a provider without limits.
   */
  admitCode?(accountId: string): Promise<number>;

  /**
   * Asks the provider for a code. Called only once for each `txid`. Throws within 8 s when no answer came, or none that
   * can be parsed. It is then unknown whether there is a code, and `findCode` finds it. `lost` where surely none was
   * made, because no connection was made or the request was not accepted.
   */
  requestCode(
    request: CodeRequest & {
      /** Whose code it is. */
      accountId: string;
      /** 26 to 35 letters and digits, as the Central Bank's API Pix wants them. */
      txid: string;
      /** How long the code can be paid. */
      validMs: number;
      /**
       * Where its due day is still to come: the payer may set it for that day, and pay it until `lastDay`. Days are
       * YYYY-MM-DD in São Paulo; the document is a CPF or a CNPJ without punctuation.
       */
      due?: { day: string; lastDay: string; debtor: { name: string; document: string } } | undefined;
      /** Whether `admitCode` has room for it. */
      isAdmitted?: boolean;
    },
  ): Promise<Issued | Lost>;

  /**
   * The code under our txid; null when the provider does not know it. Throws when it does not answer within 5 s, or
   * answers with another amount.
   */
  findCode(request: { txid: string; amount: number }): Promise<Issued | null>;
};

/** What a code asks for. Its txid returns with the money. */
type CodeRequest = { amount: number; merchantName: string; merchantCity: string; description?: string | null };

/** A BR Code that the provider made. */
export type Issued = { status: "issued"; code: string };

/**
 * A callback about a payment, by its end-to-end id, about a mandate of Pix Automático, by the rail's id of it, about a
 * debit, by its txid, about a refund or a payout, by our id of it, or about a dispute (`med`), by the rail's id of it. `happenedAt` is the time of a payment (`horario` in the Central Bank's API Pix).
 */
export type PixCallback = Callback & { kind: "payment" | "mandate" | "debit" | "refund" | "payout" | "med" };
