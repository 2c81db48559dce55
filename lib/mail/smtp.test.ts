import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { mailerOf } from "@/lib/mail/mailers";

const before = { MAIL_URL: env.MAIL_URL };
let closing: (() => void)[] = [];
beforeEach(() => {
  closing = [];
});
afterEach(() => {
  Object.assign(env, before);
  for (const close of closing) close();
});

/** A server on this address; `seen` are the passwords that reached it. */
async function serve(host: string, options: SMTPServerOptions = {}) {
  const seen: string[] = [];
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 1,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      seen.push(`${username}:${password}`);
      done(password === "right pass/word" ? null : Object.assign(new Error("no"), { responseCode: 535 }), { user: 1 });
    },
    onData(stream, _session, done) {
      stream.resume().on("end", () => done());
    },
    ...options,
  });
  server.on("error", () => {});
  const listening: Server = server.listen(0, host);
  await once(listening, "listening");
  closing.push(() => server.close());
  return { seen, port: (listening.address() as { port: number }).port };
}

const send = (url: string) => {
  Object.assign(env, { MAIL_URL: url });
  const message = { id: newId(), to: "ana@example.com", from: env.MAIL_FROM, subject: "x", text: "x", html: "x" };
  return mailerOf({ staysHere: false }).send(message);
};
const secret = encodeURIComponent("right pass/word");

test("signs in with the user and password of the address", async () => {
  const { port, seen } = await serve("127.0.0.1");
  expect(await send(`smtp://ana%40x.co:${secret}@127.0.0.1:${port}`)).toEqual({ error: null });
  expect(seen).toEqual(["ana@x.co:right pass/word"]);
});

test("a password that is refused is named, and never shown", async () => {
  const { port } = await serve("127.0.0.1");
  const sent = await send(`smtp://ana:wr0ngp4ss@127.0.0.1:${port}`);
  expect(sent).toMatchObject({ error: "sign_in_refused", answer: expect.stringContaining("535") });
  expect(JSON.stringify(sent)).not.toContain("wr0ngp4ss");
});

test("a password crosses no network without TLS", async () => {
  const { port, seen } = await serve("127.0.0.2"); // any host but this machine's usual names
  expect(await send(`smtp://ana:${secret}@127.0.0.2:${port}`)).toMatchObject({ error: "tls" });
  expect(seen).toEqual([]);
});

test("a certificate that nobody vouches for ends the connection before the password", async () => {
  const { port, seen } = await serve("127.0.0.1", { secure: true });
  const sent = await send(`smtps://ana:${secret}@127.0.0.1:${port}`);
  expect(sent).toMatchObject({ error: "tls", answer: expect.stringContaining("certificate") });
  expect(seen).toEqual([]);
});

test("a sender that is refused is our own fault: the mail is not given up", async () => {
  const onMailFrom: SMTPServerOptions["onMailFrom"] = (_address, _session, done) =>
    done(Object.assign(new Error("5.7.1 not yours"), { responseCode: 550 }));
  const { port } = await serve("127.0.0.1", { onMailFrom });
  expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject({ error: "sender_refused" });
});

test.each([
  ["that never greets", () => {}, "timeout"],
  ["that hangs up", (socket: Socket): void => void socket.destroy(), "unreachable"],
  [
    "that is no mail server",
    (socket: Socket): void => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"),
    "unreachable",
  ],
] as const)("a server %s does not keep a mail for ever", async (_, onConnection, error) => {
  const server: Server = createServer((socket) => {
    socket.on("error", () => {});
    closing.push(() => socket.destroy());
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  const sent = await send(`smtp://127.0.0.1:${(server.address() as { port: number }).port}`);
  expect(sent).toMatchObject({ error });
});
