import { isStopping, plainError } from "../../bin/lifecycle.mjs";
import { checkPort } from "../../bin/settings.mjs";
import { compare } from "./compare.mjs";
import { kindsOf, planFaults } from "./faults.mjs";
import { openFolder } from "./folder.mjs";
import { injectFaults } from "./inject.mjs";
import { openInstallation } from "./installation.mjs";
import { openMailServer } from "./mails.mjs";
import { mintToken, openPartner, registerWebhook } from "./partner.mjs";
import { quiet } from "./quiet.mjs";
import { seeded } from "./random.mjs";
import { openReceivers } from "./receivers.mjs";
import { openRecords } from "./records.mjs";
import { report } from "./report.mjs";
import { startSenders } from "./senders.mjs";

/**
 * One whole run, in a folder that is deleted at the end unless something was wrong. Returns whether everything was right.
 * The ports are for the receivers, the mail server, the two installations beside, and the installation under test.
 */
export async function run(options, ports) {
  const workspace = await openFolder();
  try {
    return await runIn(workspace, options, ports);
  } catch (error) {
    if (!isStopping() && !error.plain) workspace.keep();
    throw error;
  }
}

async function runIn(workspace, options, ports) {
  const [receiverPort, mailPort, sidePort, installPort, ...own] = ports;
  for (const port of ports) await checkPort(port);
  console.log(`Topology ${options.topology}, seed ${options.seed}, ${workspace.folder}`);
  if (!workspace.disk) console.log("A disk of its own cannot be mounted here: no disk is filled.");
  const records = openRecords(workspace.folder);
  const receivers = await openReceivers(receiverPort, records);
  const mailServer = await openMailServer(mailPort);
  const installation = await openInstallation(options.topology, { ...workspace, ports: own, mailUrl: mailServer.url });
  const kinds = kindsOf(installation, workspace.disk);
  const unknown = options.only.filter((name) => !kinds[name]);
  if (unknown.length > 0)
    throw plainError(`No such faults here: ${unknown.join(", ")}. There are ${Object.keys(kinds).join(", ")}.`);
  const plan = planFaults(kinds, { ...options, count: options.faults, random: seeded(options.seed) });
  const parties = await enter(installation, receivers, records);

  const senders = startSenders(parties.seller, records);
  const context = {
    ...workspace,
    installation,
    mailServer,
    sidePort,
    installPort,
    probe: parties.probe,
    probeToken: parties.tokens.probe,
  };
  const faults = await injectFaults(context, plan, { ...options, kinds, records });
  await senders.stop();
  console.log("Quiet, then everything is compared");
  const after = { installation, records, receivers, tokens: parties.tokens };
  const hurried = await quiet({ ...after, partner: parties.seller });
  const found = await compare(after);
  const ended = await installation.stop();
  const isRight = report({
    ...workspace,
    options,
    records,
    faults,
    found,
    ended,
    ends: installation.ends,
    receivers,
    hurried,
  });
  if (!isRight) workspace.keep();
  return isRight;
}

/** The demo's sellers: one whose sales are compared, and one who receives splits and whose webhooks are timed. */
async function enter(installation, receivers, records) {
  const { url, postgres } = installation;
  const { seller, recipient } = installation.logins();
  const tokens = { seller: await mintToken(url, seller), probe: await mintToken(url, recipient) };
  const register = async (name, token, event) => {
    const { secret } = await registerWebhook(url, token, { receiver: receivers.urlOf(name), event });
    receivers[name].secret = secret;
  };
  await register("cash", tokens.seller, "cashin");
  await register("event", tokens.seller, "transaction");
  await register("probe", tokens.probe, "transaction");
  const accounts = await accountsOf(postgres, { seller, probe: recipient });
  const byAccount = (id) => (id === accounts.probe ? tokens.probe : tokens.seller);
  const partner = openPartner({ url, records, token: tokens.seller, recipient: recipient.client_id });
  return {
    seller: partner,
    probe: openProbe({ url, records, token: tokens.probe }, receivers),
    tokens: { ...tokens, accounts, byAccount },
  };
}

async function accountsOf(postgres, logins) {
  const owner = await postgres.connect();
  try {
    const { rows } = await owner.query("select client_id, account_id from credentials");
    const accountOf = ({ client_id }) => rows.find((row) => row.client_id === client_id).account_id;
    return Object.fromEntries(Object.entries(logins).map(([name, login]) => [name, accountOf(login)]));
  } finally {
    await owner.end();
  }
}

/** Sales whose webhooks are timed: `burst` asks for several at once, `begin` and `ask` for one. */
function openProbe(party, { probe }) {
  const partner = openPartner(party);
  const begin = () => partner.cashIn({ keyed: true, name: "Sonda" });
  return {
    begin,
    ask: partner.ask,
    async burst(count) {
      const intents = Array.from({ length: count }, begin);
      await Promise.all(intents.map(partner.ask));
      return intents;
    },
    /** When the first webhook of this sale came, or undefined. */
    receivedAt: (id) => probe.sales.get(id)?.at,
  };
}
