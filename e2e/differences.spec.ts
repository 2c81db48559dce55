import { asSystem } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { makeAccount } from "@/lib/testing/make";
import { makeProvider } from "@/lib/testing/providers";
import { DAY_MS } from "@/lib/time/calendar";
import { content, expect, test } from "./fixtures";
import { photographOpen, violationsIn } from "./pictures";
import { see, seeAsStaff } from "./visits";

test.use({ allowErrors: /status of (409|422)/ });

/** A PSP with a difference of each fault, and with a comparison that was made and one that could not be. */
async function aComparedPsp() {
  const [psp, { account, accountId }] = [await makeProvider(), await makeAccount({ mode: "live" })];
  const at = new Date(Date.now() - 2 * DAY_MS);
  const times = { happenedAt: at, firstSeenAt: at, lastSeenAt: new Date(), updatedAt: new Date(at.setMilliseconds(7)) };
  const one = { accountId: PLATFORM, provider: psp.name, ofAccountId: accountId, ...times };
  const end = `E12345678202611251200${newAlphanumeric(11)}`;
  const there = { theirAmount: 1_234n, theirState: "done" };
  const here = { ourAmount: 1_235n, ourState: "done" };
  const differences = [
    { kind: "payment", fault: "missing_here", recordId: end, ...there },
    { kind: "payment", fault: "amount", recordId: `${end}x`, ...there, ...here },
    { kind: "payout", fault: "state", recordId: newId(), ...there, ourAmount: 1_234n, ourState: "failed" },
    { kind: "return", fault: "missing_there", recordId: newId(), parentId: end, ...here },
  ].map((data) => ({ ...one, ...data, id: newId() }));
  const span = { provider: psp.name, since: new Date(at.getTime() - DAY_MS), until: at, returnsSince: at };
  const count = (theirs: number, ours = theirs) => ({ theirs, ours });
  const figures = { payment: count(812, 811), return: count(9, 10), payout: count(31), payout_return: count(0) };
  await asSystem(async (tx) => {
    await tx.reconcileDifference.createMany({ data: differences });
    await tx.railComparison.createMany({
      data: [
        { ...span, id: newId(), startedAt: at, endedAt: at, figures: { ...figures, unreadable: 1, found: 4 } },
        { ...span, id: newId(), until: new Date(), startedAt: at, endedAt: at, failure: "not_read" },
      ],
    });
  });
  const remove = () =>
    asSystem(async (tx) => {
      await tx.reconcileDifference.deleteMany({ where: { provider: psp.name } });
      await tx.railComparison.deleteMany({ where: { provider: psp.name } });
      await tx.pixProvider.delete({ where: { id: psp.id } });
    });
  return { name: psp.name, end, account, remove };
}

test("a difference with a PSP is looked at, and closed with a reason by whoever saw it as it is", async ({
  page,
}, info) => {
  const { name, end, remove } = await aComparedPsp();
  await seeAsStaff(page, `/operator/differences?provider=${name}`);
  await expect(content(page).getByText("812 lá, 811 aqui").first()).toBeVisible();
  await expect(content(page).getByText("Não foi possível comparar", { exact: true }).first()).toBeVisible();
  await expect(
    content(page).getByText("O provedor não respondeu, ou a resposta dele não pôde ser lida.").first(),
  ).toBeVisible();
  for (const [width, colorScheme] of [[1280, "light"] as const, [360, "dark"] as const]) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    expect(await violationsIn(page), `${width} ${colorScheme}`).toEqual([]);
    await page.screenshot({ path: info.outputPath(`list-${width}-${colorScheme}.png`), fullPage: true });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const open = content(page).getByRole("button", { name: /^Pix recebido · só o provedor tem/ });
  await open.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Pix recebido" });
  await expect(dialog.getByText(end)).toBeVisible();
  await expect(dialog.getByText("não existe")).toBeVisible();
  await dialog.getByRole("button", { name: "Encerrar diferença" }).click();
  await expect(dialog.getByText("Escreva por que a diferença está explicada.")).toBeVisible();
  await photographOpen(page, info, "difference");
  await page.setViewportSize({ width: 1280, height: 900 });

  await dialog.getByLabel("Explicação").fill("Depósito da própria empresa.");
  const changed = asSystem((tx) =>
    tx.reconcileDifference.updateMany({
      where: { provider: name, recordId: end },
      data: { theirAmount: 1_300n, updatedAt: new Date(1_000 * Math.floor(Date.now() / 1_000)) },
    }),
  );
  await changed;
  await dialog.getByRole("button", { name: "Encerrar diferença" }).click();
  await expect(dialog.getByText("A diferença mudou desde que você a abriu.")).toBeVisible();
  await page.keyboard.press("Escape");
  await see(page, `/operator/differences?provider=${name}`);
  await open.click();
  await dialog.getByLabel("Explicação").fill("Depósito da própria empresa.");
  await dialog.getByRole("button", { name: "Encerrar diferença" }).click();
  await expect(page.getByText("Diferença encerrada")).toBeVisible();
  await expect(open).toHaveCount(0);
  await content(page).getByRole("link", { name: "Encerradas" }).click();
  await open.click();
  await expect(dialog.getByText("Depósito da própria empresa.")).toBeVisible();
  await expect(dialog.getByText("Olga Prado")).toBeVisible();
  await remove();
});

test("days are compared with a PSP on demand, and without a difference the page says so", async ({ page }, info) => {
  const { name, remove } = await aComparedPsp();
  await asSystem((tx) => tx.reconcileDifference.deleteMany({ where: { provider: name } }));
  await seeAsStaff(page, `/operator/differences?provider=${name}`);
  await expect(content(page).getByText("Nada com estes filtros.")).toBeVisible();
  await content(page).getByRole("button", { name: "Comparar dias…" }).click();
  const dialog = page.getByRole("dialog", { name: "Comparar dias com um provedor" });
  await dialog.getByRole("button", { name: "Comparar" }).click();
  await expect(dialog.getByText("Escolha o provedor.", { exact: true })).toBeVisible();
  await photographOpen(page, info, "compare");
  await dialog.getByLabel("Provedor").selectOption(name);
  await dialog.getByRole("button", { name: "Comparar" }).click();
  await expect(page.getByText("A comparação começa em instantes").first()).toBeVisible();
  await expect(async () => {
    const asked = await asSystem((tx) =>
      tx.railComparison.count({ where: { provider: name, askedBy: { not: null } } }),
    );
    expect(asked).toBe(1);
  }).toPass();
  await remove();
});
