import { type ParsedMail, simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { env } from "@/lib/env";
import { freePort } from "@/lib/testing/program";

/** A mail that a test's server accepted: as it came, and read as a mail program reads it. */
type Received = { raw: string; from: string; to: string[]; mail: ParsedMail };
/** What a server says: "250" accepts, another code refuses. */
type Reply = { code: number; text: string };

/**
 * A real SMTP server on loopback, without TLS. `at` decides what it answers at each step of a mail; the port stays the same
 * while it is away. Points `MAIL_URL` at itself until it is closed.
 */
export async function serveSmtp() {
  const port = await freePort();
  const received: Received[] = [];
  const connections = { now: 0, most: 0 };
  /** Whom the mails were for whose final dot came, answered or not. */
  const given: string[] = [];
  const at: {
    recipient?: (address: string) => Reply | undefined;
    data?: () => Reply | undefined;
    heldMs?: number;
    /** Whose mails get no answer at all. */
    holds?: RegExp;
  } = {};
  let server = start();
  await listening();

  function start() {
    return new SMTPServer({
      disabledCommands: ["AUTH", "STARTTLS"],
      logger: false,
      closeTimeout: 1,
      onConnect(_session, done) {
        connections.now += 1;
        connections.most = Math.max(connections.most, connections.now);
        done();
      },
      onClose() {
        connections.now -= 1;
      },
      onRcptTo({ address }, _session, done) {
        done(errorOf(at.recipient?.(address)));
      },
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", async () => {
          given.push(...envelope.rcptTo.map(({ address }) => address));
          if (envelope.rcptTo.some(({ address }) => at.holds?.test(address))) return; // it never answers
          if (at.heldMs) await new Promise((resolve) => setTimeout(resolve, at.heldMs));
          const refusal = errorOf(at.data?.());
          if (refusal) return done(refusal);
          const raw = Buffer.concat(chunks).toString();
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          received.push({ raw, from, to, mail: await simpleParser(raw, { skipImageLinks: true }) });
          done();
        });
      },
    });
  }

  function listening() {
    server.on("error", () => {});
    return new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  }

  const goAway = () => new Promise<void>((resolve) => server.close(() => resolve()));
  const comeBack = async () => {
    server = start();
    await listening();
  };
  const before = { MAIL_URL: env.MAIL_URL };
  Object.assign(env, { MAIL_URL: `smtp://127.0.0.1:${port}` });
  const close = async () => {
    Object.assign(env, before);
    await goAway();
  };
  return { port, received, given, connections, at, goAway, comeBack, close };
}

const errorOf = (reply: Reply | undefined) =>
  reply && Object.assign(new Error(reply.text), { responseCode: reply.code });
