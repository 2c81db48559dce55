import type { Locator } from "@playwright/test";
import { asSystem, prisma, transactionFor } from "@/lib/db";
import { newAlphanumeric } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { newEndToEndId, recordPix } from "@/lib/simulators/pix/records";
import { anySettings, makeProvider } from "@/lib/testing/providers";
import { unmatchedBy } from "@/lib/testing/unmatched";
import { receiveUnmatched } from "@/lib/unmatched/receive";
import { content, deposit, expect, type Page, staffCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";
import { see, seeAsStaff } from "./visits";

test.use({ allowErrors: /status of 422/ });

const dialog = (page: Page, name: RegExp) => page.getByRole("dialog", { name });

/** A Pix to our key that names no sale, from a payer with a name of its own. Returns what its payer is called. */
async function strayMoney(amount: number): Promise<string> {
  const name = `Pagadora ${newAlphanumeric(6)}`;
  const payer = { name, document: "***.982.247-**", ispb: "99999999" };
  const end_to_end_id = newEndToEndId("99999999");
  await recordPix({ end_to_end_id, txid: newAlphanumeric(25), key: PIX_KEY, amount, payer });
  return name;
}

/** No violation and no sideways scrolling, on a phone and at a desk, in light and dark. */
async function expectReadable(page: Page, picture: (name: string) => string, within?: Locator) {
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await violationsIn(page), `${width} ${colorScheme}`).toEqual([]);
      await page.screenshot({ path: picture(`${width}-${colorScheme}`) });
    }
    const scrolled = within
      ? await within.evaluate((it) => it.scrollWidth - it.clientWidth)
      : await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(scrolled).toBeLessThanOrEqual(0);
  }
}

test("money that matches nothing is matched to its sale by a person of the staff, and the seller sees it paid", async ({
  page,
  seller,
}, info) => {
  const { identifier } = await deposit(seller, { amount: 321.09 });
  const payer = await strayMoney(32_109);
  const { available } = await readBalances(seller.accountId);
  await page.context().addCookies([await staffCookie()]);
  await expect(async () => {
    await see(page, "/operator/unmatched?mode=sandbox&search=321%2C09");
    await expect(content(page).getByText(payer)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(content(page).getByText("Código que não é de nenhuma venda").last()).toBeVisible();
  await expectReadable(page, (name) => info.outputPath(`list-${name}.png`));

  await content(page).getByRole("link", { name: payer }).click();
  await expect(page.getByText("Espera uma decisão")).toBeVisible();
  await expectReadable(page, (name) => info.outputPath(`detail-${name}.png`));
  const candidate = page.getByRole("row").filter({ has: page.locator(`a[href$="${identifier}"]`) });
  await candidate.getByRole("button", { name: "Usar nesta venda" }).click();
  const form = dialog(page, /^Pagar uma venda com/);
  await expect(form.getByLabel("Identificador da venda")).toHaveValue(identifier);
  await form.getByRole("button", { name: "Pagar a venda" }).click();
  await expect(form.getByText("Escreva por que você decide assim.")).toBeVisible();
  await expectReadable(page, (name) => info.outputPath(`form-${name}.png`), form);
  await form.getByLabel("Motivo").fill("O cliente pagou a chave e mandou o comprovante.");
  await form.getByRole("button", { name: "Pagar a venda" }).click();
  await expect(page.getByText("O dinheiro pagou uma venda.")).toBeVisible();
  await expect(content(page).getByText("Olga Prado")).toBeVisible();

  await see(page, `/transactions/${identifier}`);
  await expect(content(page).getByText("Crédito de dinheiro sem venda")).toBeVisible();
  expect((await readBalances(seller.accountId)).available).toBeGreaterThan(available + 30_000);
});

test("a wrong amount goes back to its payer by itself, and its sale says that it came and went", async ({
  page,
  seller,
}, info) => {
  const { identifier } = await deposit(seller, { amount: 132 });
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/pay`, { amount: 13.2 });
  await expect(async () => {
    await see(page, `/transactions/${identifier}`);
    await expect(content(page).getByText("Dinheiro devolvido ao pagador")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expect(content(page).getByText("Pagamento de outro valor")).toBeVisible();
  await page.screenshot({ path: info.outputPath("sale.png"), fullPage: true });
  const [money] = await prisma().simulatorDevolucao.findMany({ where: { amount: 1_320, status: "DEVOLVIDO" } });
  expect(money).toBeDefined();

  // What the payer's bank does not take is the staff's to decide: it is credited, as the person says why.
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/pay`, { amount: 17.71 });
  await page.context().addCookies([await staffCookie()]);
  await expect(async () => {
    await see(page, "/operator/unmatched?mode=sandbox&reason=amount_differs&search=17%2C71");
    await expect(content(page).getByRole("link").filter({ hasText: seller.account.name })).toBeVisible({
      timeout: 1_000,
    });
    await expect(content(page).getByText("volta sozinho")).toHaveCount(0);
  }).toPass({ timeout: 30_000 });
  await content(page).getByRole("link").filter({ hasText: seller.account.name }).click();
  await expect(page.getByText("Conta do recebedor encerrada.")).toBeVisible();
  await page.getByRole("button", { name: "Creditar…" }).click();
  const form = dialog(page, /^Creditar/);
  await form.getByLabel("Motivo").fill("Combinado com o vendedor.");
  const before = (await readBalances(seller.accountId)).available;
  await form.getByRole("button", { name: "Creditar", exact: true }).click();
  await expect(page.getByText("O dinheiro foi creditado numa conta.")).toBeVisible();
  expect((await readBalances(seller.accountId)).available).toBe(before + 1_771);
  await page.screenshot({ path: info.outputPath("credited.png"), fullPage: true });
});

test("of real money nothing waits at first, and a list that cannot be read says so", async ({ page }, info) => {
  await seeAsStaff(page, "/operator/unmatched?status=returning");
  await expect(content(page).getByText("Nada com estes filtros.")).toBeVisible();
  await expectReadable(page, (name) => info.outputPath(`empty-${name}.png`));
  await see(page, "/operator/unmatched?page=1000000");
  await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
  await expectReadable(page, (name) => info.outputPath(`error-${name}.png`));
});

test("of a Pix that the operator sent from another PSP, a person says so, and it is nobody's money", async ({
  page,
}, info) => {
  const title = `Banco do Norte ${newAlphanumeric(6)}`; // other tests connect PSPs meanwhile
  const [here, there] = [await makeProvider(anySettings(), "Banco do Sul"), await makeProvider(anySettings(), title)];
  const endToEndId = newEndToEndId("99999999");
  const came = { provider: here.name, endToEndId, amount: 500_000, mode: "live", method: "pix" } as const;
  await transactionFor(platforms.live, (query) => receiveUnmatched(query, [{ ...came, reason: "unknown_txid" }]));
  const { accountId, id } = await unmatchedBy(endToEndId);
  await seeAsStaff(page, `/operator/unmatched/${accountId}/${id}`);
  await content(page).getByRole("button", { name: "Transferência própria…" }).click();
  const form = dialog(page, /^Mover R\$\s5\.000,00 de outro provedor/);
  await form.getByRole("button", { name: "Confirmar a transferência" }).click();
  await expect(form.getByText("Escolha o provedor de onde saiu.")).toBeVisible();
  await form.getByLabel("De onde saiu").selectOption({ label: title });
  await form.getByLabel("Motivo").fill("Saldo para os saques da semana.");
  await expectReadable(page, (name) => info.outputPath(`transfer-${name}.png`), form);
  await form.getByRole("button", { name: "Confirmar a transferência" }).click();
  await expect(page.getByText("O operador moveu o dinheiro para cá de outro provedor.")).toBeVisible();
  await expect(content(page).getByText(there.name)).toBeVisible();
  await page.screenshot({ path: info.outputPath("transferred.png"), fullPage: true });
  await asSystem((tx) => tx.pixProvider.deleteMany({ where: { id: { in: [here.id, there.id] } } }));
});
