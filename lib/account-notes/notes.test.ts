import { expect, test } from "vitest";
import { readNotes } from "@/lib/account-notes/read";
import { writeNote } from "@/lib/account-notes/write";
import { asSystem } from "@/lib/db";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";

test("notes about an account are told newest first with who wrote them, and are in the platform's history, not the account's", async () => {
  const [{ accountId }, other, { userId }] = [
    await makeAccount({ mode: "live" }),
    await makeAccount({ mode: "live" }),
    await aStaffPerson(),
  ];
  for (const text of ["Ligou no dia 3.", "Mandou o contrato."]) await writeNote({ accountId, userId, text });
  const { data } = await readNotes(accountId);
  const of = { id: expect.any(String), written_by: "Operação", created_at: expect.any(String) };
  expect(data).toEqual([
    { ...of, text: "Mandou o contrato." },
    { ...of, text: "Ligou no dia 3." },
  ]);
  expect(await readNotes(other.accountId)).toEqual({ data: [] });
  const events = await asSystem((tx) =>
    tx.event.findMany({ where: { subject: "account_note", subjectId: { in: data.map(({ id }) => id) } } }),
  );
  expect(events.map((event) => [event.accountId, event.record])).toEqual([
    [PLATFORM, { account: accountId, text: "Ligou no dia 3." }],
    [PLATFORM, { account: accountId, text: "Mandou o contrato." }],
  ]);
  await expect(writeNote({ accountId: newId(), userId, text: "x" })).rejects.toMatchObject({
    code: "account_not_found",
  });
});
