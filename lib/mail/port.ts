import type { MailError } from "@/lib/mail/states";

/** A mail as a server gets it. `to` is one plain address. */
export type Message = { id: string; to: string; from: string; subject: string; text: string; html: string };

/** What became of a mail. `answer` is what the server said, for the operator. */
export type Sent = { error: null } | { error: MailError; answer: string | null };

/** Who takes our mails. An adapter translates; it decides nothing. */
export type Mailer = {
  name: "smtp" | "inbox";
  /** The content stays in the database after this mailer took a mail, because nobody else has it. */
  keeps: boolean;
  /**
   * Hands a mail over. Twice with one id, both have the same Message-ID. Never throws; `stop` ends it early. From
   * `mayGive` on, which it asks right before, a server may have accepted the mail even if no answer comes.
   */
  send(message: Message, stop?: AbortSignal, mayGive?: () => Promise<boolean>): Promise<Sent>;
};
