import { createTransport } from "nodemailer";
import { env } from "@/lib/env";
import { isAddress, line } from "@/lib/mail/clean";
import { composed } from "@/lib/mail/message";
import type { Mailer, Sent } from "@/lib/mail/port";
import type { MailError } from "@/lib/mail/states";
import { isLocal } from "@/lib/net/address";
import { withinMs } from "@/lib/time-limit";

/** The limits of one mail: to connect, to be greeted, and for each answer. */
const WITHIN_MS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000, dnsTimeout: 5_000 };
/** The limit of all of it, because a server may answer each line just in time. */
const ALL_WITHIN_MS = 30_000;

/** An SMTP server, over a connection of its own for each mail. */
export const smtp: Mailer = {
  name: "smtp",
  keeps: false,
  async send(message, stop) {
    if (!isAddress(message.to)) return { error: "invalid_address", answer: null };
    return withinMs(ALL_WITHIN_MS, stop, async (signal) => {
      const sending = createTransport(options()).sendMail({ ...composed(message), signal });
      return sending.then(
        () => ({ error: null }),
        (error) => (signal.aborted ? { error: "timeout", answer: null } : failureOf(error)),
      );
    });
  },
};

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
  };
}

type Failure = { code?: string; command?: string; responseCode?: number; response?: string; message?: string };

/**
 * A server's 5xx is its last word, except about our own sign-in and sender, which the operator can change; everything else
 * may be different later.
 */
function failureOf(error: unknown): Sent {
  const failure = (error ?? {}) as Failure;
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
