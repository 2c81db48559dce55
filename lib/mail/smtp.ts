import { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import MailComposer from "nodemailer/lib/mail-composer";
import { env } from "@/lib/env";
import { isAddress, line } from "@/lib/mail/clean";
import { composed } from "@/lib/mail/message";
import type { Mailer, Sent } from "@/lib/mail/port";
import type { MailError } from "@/lib/mail/states";
import { isLocal } from "@/lib/net/address";

/** The limits of one mail: to connect, and to be greeted. */
const WITHIN_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, dnsTimeout: 5_000 };
/** The limit of all that comes before the final dot, because a server may answer each line just in time. */
const BEFORE_DOT_MS = 30_000;
/**
 * How long the answer to the final dot is waited for (RFC 5321, 4.5.3.2.6): a server that is slow has the mail, and would get
 * it again.
 */
const ANSWER_WITHIN_MS = 600_000;

/** An SMTP server, over a connection of its own for each mail. */
export const smtp: Mailer = {
  name: "smtp",
  keeps: false,
  async send(message, stop, mayGive = async () => true) {
    if (!isAddress(message.to)) return { error: "invalid_address", answer: null };
    const { envelope, ...mail } = composed(message);
    const bytes = await new MailComposer({ envelope, ...mail }).compile().build();
    const limit = newLimit(stop);
    let isGiven = false;
    async function* data() {
      yield bytes;
      if ((await mayGive().catch(() => false)) && !limit.signal.aborted) isGiven = true;
      else limit.end();
      if (limit.signal.aborted) await new Promise(() => {}); // the connection is closed without the dot
      limit.renew(ANSWER_WITHIN_MS);
    }
    const transport = createTransport(options());
    const sending = transport.sendMail({ envelope, raw: Readable.from(data()), signal: limit.signal });
    const sent = await sending.then(
      (): Sent => ({ error: null }),
      (error) => failureOf(error, { isGiven, isOver: limit.signal.aborted }),
    );
    limit.clear();
    return sent;
  },
};

/** A signal that is given after a time, which can be renewed, or when `stop` is. */
function newLimit(stop?: AbortSignal) {
  const ending = new AbortController();
  const end = () => ending.abort();
  let timer = setTimeout(end, BEFORE_DOT_MS);
  if (stop?.aborted) end();
  stop?.addEventListener("abort", end);
  return {
    signal: ending.signal,
    end,
    renew(ms: number) {
      clearTimeout(timer);
      timer = setTimeout(end, ms);
    },
    clear() {
      clearTimeout(timer);
      stop?.removeEventListener("abort", end);
    },
  };
}

function options() {
  const url = new URL(env.MAIL_URL ?? "");
  const isTls = url.protocol === "smtps:";
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (isTls ? 465 : 587),
    secure: isTls,
    // A password crosses a network only under TLS.
    requireTLS: !isTls && user !== "" && !isLocal(url),
    ...(user && { auth: { user, pass: decodeURIComponent(url.password) } }),
    name: new URL(env.APP_URL).hostname,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...WITHIN_MS,
    socketTimeout: ANSWER_WITHIN_MS,
  };
}

type Failure = { code?: string; command?: string; responseCode?: number; response?: string; message?: string };

/**
 * A server's 5xx is its last word, except about our own sign-in and sender, which the operator can change; everything else
 * may be different later.
 */
function failureOf(error: unknown, { isGiven, isOver }: { isGiven: boolean; isOver: boolean }): Sent {
  const failure = (error ?? {}) as Failure;
  if (isGiven && failure.responseCode === undefined) return { error: "unanswered", answer: null };
  if (isOver) return { error: "timeout", answer: null };
  const said = failure.response ?? failure.message;
  return { error: nameOf(failure), answer: said === undefined ? null : plain(said) };
}

function nameOf({ code = "", command = "", responseCode: status = 0, message = "" }: Failure): MailError {
  if (code === "EAUTH" || code === "ENOAUTH") return "sign_in_refused";
  if (code === "ETIMEDOUT") return "timeout";
  if (code === "ETLS" || (code === "ESOCKET" && /certificate|altnames|SSL|TLS/i.test(message))) return "tls";
  if (status >= 500 && command === "MAIL FROM") return "sender_refused";
  if (status >= 500) return command === "RCPT TO" || code === "EENVELOPE" ? "recipient_refused" : "mail_refused";
  if (status >= 400) return "try_later";
  return "unreachable";
}

/** What a server said, on one line and without addresses of pages, because it may repeat the link of a mail. */
const plain = (response: string) => line(response.replace(/\w+:\/\/\S+/g, "…"), 300);
