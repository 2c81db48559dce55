import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";
import { onStop } from "../../bin/lifecycle.mjs";
import { aPlan, connected, killWorking, subscribeOne } from "./billing.mjs";
import { until } from "./processes.mjs";
import { eachOf } from "./senders.mjs";

const MAILS = 12;
const AT_ONCE = 4;
const BEGINS_WITHIN_MS = 30_000;
/** A mail without an answer keeps its account's next one back for 10 s. */
const SENT_WITHIN_MS = 150_000;
const HANGS_ON_MS = 3_000;
/** How many of them may come twice: those whose end was sent and not answered. */
const MAX_TWICE = 4;

/** A mail server that has each mail, and while it hangs answers none. `received` counts them by their Message-ID. */
export async function openMailServer(port) {
  const received = new Map();
  const state = { hangs: false };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    async onData(stream, _session, done) {
      const parts = await stream.toArray().catch(() => undefined);
      if (!parts) return; // its sender was killed before the end
      const text = Buffer.concat(parts).toString("latin1");
      const id = /^message-id: <([^@>]+)/im.exec(text)?.[1];
      received.set(id, (received.get(id) ?? 0) + 1);
      while (state.hangs) await sleep(20);
      done();
    },
  });
  server.on("error", () => {}); // a killed program's connection
  await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  onStop(() => new Promise((closed) => server.close(closed)));
  return { url: `smtp://127.0.0.1:${port}`, received, state };
}

/** The mail server hangs, and whatever works is killed meanwhile. Throws unless each mail comes, and few come twice. */
export async function hangMail({ installation, mailServer: { state, received }, probeToken: token }) {
  const ask = { url: installation.url, token };
  const plan = await aPlan(ask);
  const { email } = installation.logins().recipient; // a sandbox's mails reach its own people alone
  const owner = await connected(installation);
  try {
    const before = (await owner.query("select now()::text as at")).rows[0].at;
    const ids = async () =>
      (await owner.query("select id from mails where template = 'charge_due' and created_at > $1", [before])).rows;
    state.hangs = true;
    await eachOf(Array(MAILS).fill(email), AT_ONCE, (one) => subscribeOne(ask, plan, one));
    const mails = await ids();
    await until(() => mails.some(({ id }) => received.has(id)), BEGINS_WITHIN_MS);
    const { names, started } = killWorking(installation);
    await started;
    await sleep(HANGS_ON_MS);
    state.hangs = false;
    await until(() => mails.every(({ id }) => received.has(id)), SENT_WITHIN_MS);
    const twice = mails.filter(({ id }) => received.get(id) > 1).length;
    if (mails.length !== MAILS || twice > MAX_TWICE) throw new Error(`${mails.length} mails, ${twice} of them twice`);
    return `${names}, ${twice} of ${MAILS} mails twice`;
  } finally {
    state.hangs = false;
    await owner.end();
  }
}
