import { expect, test } from "vitest";
import { simulateMandate } from "@/lib/sandbox/mandate";
import type { MandateAction } from "@/lib/sandbox/schema";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aPlan, enrolled, nowOf, shown } from "@/lib/testing/subscriptions";

openRail();

const act = async (made: Made, id: string, action: MandateAction["action"]) =>
  simulateMandate((await nowOf(made)).account, { id, action });
const statusOf = async (made: Made, token: string) => (await shown(made, token)).mandate?.status;

test("a payer acts on the mandate of the named subscription alone, which shows it at once", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { billing_method: "pix_automatico" });
  const others = { email: "bia@example.com", document: "111.444.777-35" };
  const [first, second] = [await enrolled(made, plan), await enrolled(made, plan, others)];
  const statuses = async () => [await statusOf(made, first.token), await statusOf(made, second.token)];
  expect(await statuses()).toEqual(["created", "created"]);
  await act(made, second.token, "authorise");
  expect(await statuses()).toEqual(["created", "approved"]);
  await act(made, first.token, "refuse");
  expect(await statuses()).toEqual(["rejected", "approved"]);
  await act(made, second.token, "cancel");
  expect(await statuses()).toEqual(["rejected", "cancelled"]);
});

test("a payer cannot act where there is no mandate, nor as its rail refuses", async () => {
  const made = await makeAccount();
  const refused = { code: "invalid_transition" };
  const { token: byCode } = await enrolled(made, await aPlan(made));
  for (const action of ["authorise", "enough"] as const) {
    await expect(act(made, byCode, action)).rejects.toMatchObject(refused);
  }
  const { token } = await enrolled(made, await aPlan(made, { billing_method: "pix_automatico" }));
  await act(made, token, "refuse");
  await expect(act(made, token, "authorise")).rejects.toMatchObject(refused);
  expect(await statusOf(made, token)).toBe("rejected");
});
