import { expect, test } from "vitest";
import { mayDecide } from "@/lib/approvals/ask";
import { listApprovals } from "@/lib/approvals/read";
import { roles } from "@/lib/auth/scopes";
import { createCredential } from "@/lib/credentials/create";
import { listCredentials } from "@/lib/credentials/read";
import { forAccount } from "@/lib/db";
import { PageQuery } from "@/lib/lists/pagination";
import { removeMember } from "@/lib/team/remove";
import { call } from "@/lib/testing/make";
import { aMember, makeTeam } from "@/lib/testing/team";

test("what waits names whom or what it concerns, and is decided by somebody else who may, until it lapses", async () => {
  const team = await makeTeam();
  const { account, accountId, ownerId } = team;
  const other = await aMember(team, "owner");
  const admin = await aMember(team, "admin");
  const developer = await aMember(team, "developer");
  const maker = { userId: ownerId, liveId: accountId, role: "owner", scopes: roles.owner } as const;
  const made = await createCredential(account, { name: "ERP", money_scopes: ["refunds:write"], maker }, call());
  await removeMember(account, { by: { liveId: accountId, userId: ownerId }, id: other });
  const seenBy = async (userId: string, role: "owner" | "admin" | "developer") =>
    (await listApprovals(accountId, { userId, role })).data.map(({ kind, subject_name, is_mine, may_decide }) => ({
      ...{ kind, subject_name, is_mine, may_decide },
    }));
  const credential = { kind: "credential_scopes", subject_name: "ERP" };
  const removal = { kind: "owner_removal", subject_name: "Pessoa owner" };
  const all = (key: object, person: object) => [
    { ...credential, is_mine: false, ...key },
    { ...removal, is_mine: false, ...person },
  ];
  const [may, mayNot] = [{ may_decide: true }, { may_decide: false }];
  expect(await seenBy(ownerId, "owner")).toEqual(all({ is_mine: true, ...mayNot }, { is_mine: true, ...mayNot }));
  expect(await seenBy(other, "owner")).toEqual(all(may, may));
  expect(await seenBy(admin, "admin")).toEqual(all(may, mayNot));
  expect(await seenBy(developer, "developer"), "who moves no money lets no key move it").toEqual(all(mayNot, mayNot));

  const waitingScopes = async () => {
    const { data } = await listCredentials(accountId, PageQuery.parse({}));
    return data.find(({ id }) => id === made.data.id)?.awaiting_scopes;
  };
  expect(await waitingScopes()).toEqual(["refunds:write"]);
  const data = { lapsesAt: new Date(Date.now() - 1) };
  await forAccount(accountId, (tx) => tx.approval.updateMany({ where: { accountId }, data }));
  expect(await seenBy(other, "owner")).toEqual(all(mayNot, mayNot));
  expect(await waitingScopes()).toEqual([]);
});

test("finance decides on refunds, and neither on keys nor on owners", () => {
  const kinds = ["refund", "credential_scopes", "owner_removal"] as const;
  expect(kinds.map((kind) => mayDecide(kind, "finance"))).toEqual([true, false, false]);
});
