import { deposit, expect, paidDeposit, test } from "./fixtures";
import { expectAmountsOnOneLine } from "./pictures";

/** The largest amount, in reais. */
const LARGEST = 9_999_999_999.99;

test("no amount wraps at 360 px, however large it is", async ({ page, seller }) => {
  const { identifier } = await paidDeposit(seller, { amount: LARGEST });
  const open = await deposit(seller, { amount: LARGEST });
  await page.setViewportSize({ width: 360, height: 800 });
  for (const path of [
    "/home",
    "/transactions",
    `/transactions/${identifier}`,
    `/charges/${identifier}`,
    `/charges/${open.identifier}`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(/R\$\s9\.999\.999\.999,99/).first()).toBeVisible();
    await expectAmountsOnOneLine(page);
  }
  await page.goto("/home");
  await page.getByRole("button", { name: "Ver tabela" }).click();
  await expectAmountsOnOneLine(page);
  await page.goto("/charges/new");
  await page.getByRole("textbox", { name: "Valor" }).fill("9999999999,99");
  await expect(page.getByText("Você recebe")).toBeVisible();
  await expectAmountsOnOneLine(page);
});
