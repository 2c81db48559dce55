import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount, queryOf } from "@/lib/db";
import { newId } from "@/lib/ids";
import { mailTeam, readNotified } from "@/lib/notifications/addressees";
import { type Topic, topics } from "@/lib/notifications/schema";
import { openHost } from "@/lib/testing/http";
import { cookieOf } from "@/lib/testing/staff";
import { aMember, makeTeam } from "@/lib/testing/team";

const host = openHost(routes);
const PATH = "/api/dashboard/v1/notifications";

type Team = Awaited<ReturnType<typeof makeTeam>>;

const notifiedOf = ({ accountId }: Pick<Team, "accountId">, topic: Topic) =>
  forAccount(accountId, async (tx) =>
    (await readNotified(queryOf(tx), topic, [accountId])).map(({ personId }) => personId),
  );

/** How a person of this account calls. */
async function asked(userId: string, accountId: string) {
  const headers = {
    cookie: await cookieOf(userId, accountId),
    "x-account": accountId,
    "sec-fetch-site": "same-origin",
  };
  return {
    read: async () => (await host.ask("GET", PATH, { headers })).json,
    choose: (chosen: Topic[]) => host.ask("PUT", PATH, { headers, body: { topics: chosen } }),
  };
}

test("an owner is mailed about everything and others about nothing, until they choose for themselves", async () => {
  const team = await makeTeam();
  const finance = await aMember(team, "finance");
  for (const topic of topics) expect(await notifiedOf(team, topic)).toEqual([team.ownerId]);
  const [owner, other] = [await asked(team.ownerId, team.accountId), await asked(finance, team.accountId)];
  expect([await owner.read(), await other.read()]).toEqual([{ topics }, { topics: [] }]);
  expect((await owner.choose(["webhooks"])).json).toEqual({ topics: ["webhooks"] });
  await other.choose(["refunds"]);
  expect(await notifiedOf(team, "refunds")).toEqual([finance]);
  expect(await notifiedOf(team, "webhooks")).toEqual([team.ownerId]);
  expect(await notifiedOf(team, "payments")).toEqual([]);
  const events = await forAccount(team.accountId, (tx) =>
    tx.event.findMany({ where: { type: "member.updated" }, orderBy: { id: "asc" } }),
  );
  expect(events.map(({ data }) => data)).toEqual([
    { topics: { before: topics, after: ["webhooks"] } },
    { topics: { before: [], after: ["refunds"] } },
  ]);
});

test("a mail of the sandbox is written once to each who chose it in either account, and to nobody else's team", async () => {
  const [team, stranger] = [await makeTeam(), await makeTeam()];
  const viewer = await aMember(team, "viewer");
  await (await asked(viewer, team.sandboxId)).choose(["refunds"]);
  await (await asked(stranger.ownerId, stranger.accountId)).choose([...topics]);
  const intent = `refund_failed:${newId()}`;
  const content = { template: "split_cancelled", seller: "Loja", plan: "Mensal" } as const;
  const write = () => forAccount(team.sandboxId, (tx) => mailTeam(tx, "refunds", team.sandboxId, { intent, content }));
  await write();
  await write();
  const mails = await forAccount(team.sandboxId, (tx) =>
    tx.mail.findMany({ where: { intent: { startsWith: intent } }, select: { recipient: true, mode: true } }),
  );
  expect(mails.map(({ recipient }) => recipient).sort()).toEqual([`${viewer}@example.com`, team.email].sort());
  expect(mails.every(({ mode }) => mode === "sandbox")).toBe(true);
});
