import type { Locator } from "@playwright/test";
import { readBalances } from "@/lib/ledger/balance";
import { receiver } from "@/lib/webhooks/testing";
import { payNow } from "./checkout";
import {
  cardSale,
  content,
  expect,
  makeSeller,
  type Page,
  paidDeposit,
  type Seller,
  sessionCookie,
  staffCookie,
  test,
} from "./fixtures";
import { violationsIn } from "./pictures";
import { askRefund, chargeRefunds, FEE, refunded } from "./refunds";
import { plan, product } from "./splits";
import { enrol, read } from "./subscription-lives";
import { see } from "./visits";

/** The page without what streams in, which stands elsewhere too for a moment. */

const form = (page: Page) => page.getByRole("dialog", { name: /^Estornar a venda de/ });

const balances = async ({ accountId }: Seller) => {
  const { available, blocked } = await readBalances(accountId);
  return [available, blocked];
};

async function expectReadable(page: Page, dialog: Locator) {
  expect(await violationsIn(page)).toEqual([]);
  expect(await dialog.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(0);
}

async function expectClean(page: Page) {
  expect(await violationsIn(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    page.viewportSize()?.width ?? 0,
  );
}

for (const width of [1280, 360]) {
  test(`a seller asks for a refund in three actions, the operator refuses it with a reason, and the seller sees that and has the money back (${width} px)`, async ({
    page,
    context,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await chargeRefunds(seller);
    const { identifier } = await paidDeposit(seller);
    const before = await balances(seller);
    await see(page, `/transactions/${identifier}`);
    await expect(content(page).getByText(/^Restam R\$\s132,00 para estornar, até/)).toBeVisible();

    await page.getByRole("button", { name: "Estornar", exact: true }).click(); // 1
    const held = form(page).getByRole("row", { name: /^Bloqueado do seu saldo até a decisão/ });
    await expect(held).toContainText(/R\$\s133,50/);
    await form(page).getByLabel("Motivo").selectOption({ label: "Produto não entregue" }); // 2
    await expectReadable(page, form(page));
    await form(page).getByRole("button", { name: "Pedir estorno" }).click(); // 3
    await expect(form(page)).toHaveCount(0);
    await expect(content(page).getByText("Já há um pedido em aberto.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Estornar", exact: true })).toHaveCount(0);
    expect(await balances(seller)).toEqual([(before[0] ?? 0) - 13_200 - FEE, 13_200 + FEE]);

    await content(page).getByRole("link", { name: "Produto não entregue" }).click();
    await expect(page).toHaveURL(/\/refunds\/rfd_[0-9a-f]{32}$/);
    const address = page.url();
    const code = address.split("/").at(-1) ?? "";
    await expect(content(page).getByRole("row", { name: /^Bloqueado até a decisão/ })).toContainText(/R\$\s133,50/);
    await expect(content(page).getByText("Bloqueio para o estorno").first()).toBeVisible();

    await context.addCookies([await staffCookie()]);
    await see(page, "/operator/refunds?mode=sandbox");
    await content(page).locator(`a[href$="/${seller.accountId}/${code}"]`).click();
    await expect(content(page).getByText("Venda paga").first(), "the sale's story is beside it").toBeVisible();
    await page.getByRole("button", { name: "Recusar…" }).click();
    const refusal = page.getByRole("dialog", { name: /^Recusar o estorno de/ });
    await refusal.getByLabel("Motivo").fill("Faltou o comprovante de envio.");
    await refusal.getByRole("button", { name: "Recusar estorno" }).click();
    await expect(refusal.getByText("Escolha por que o pedido é recusado.")).toBeVisible();
    await expect(refusal.getByLabel("Categoria"), "the first fault has the focus").toBeFocused();
    await expect(refusal.getByLabel("Motivo"), "what was typed stays").toHaveValue("Faltou o comprovante de envio.");
    await refusal.getByLabel("Categoria").selectOption({ label: "Documentação insuficiente" });
    await expectReadable(page, refusal);
    await refusal.getByRole("button", { name: "Recusar estorno" }).click();
    await expect(refusal).toHaveCount(0);
    await expect(content(page).getByText("Recusado", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Recusar…" })).toHaveCount(0);

    await context.addCookies([await sessionCookie(seller.accountId)]);
    await see(page, address);
    await expect(content(page).getByText("A operação recusou este pedido: Documentação insuficiente.")).toBeVisible();
    await expect(content(page).getByText("Faltou o comprovante de envio.").first()).toBeVisible();
    await expect(content(page).getByText("Estorno recusado").first()).toBeVisible();
    await expect(
      content(page)
        .getByText(/Pela operação/)
        .first(),
    ).toBeVisible();
    expect(await violationsIn(page)).toEqual([]);
    await content(page).getByRole("link", { name: "Ver a venda" }).click();
    await expect(content(page).getByText("Recusado", { exact: true }).first()).toBeVisible();
    await expect(content(page).getByText(/^Restam R\$\s132,00 para estornar/)).toBeVisible();
    expect(await balances(seller)).toEqual(before);
  });
}

test("the staff finds a seller's sale and asks for its refund in four actions, and the seller reads who asked and why", async ({
  page,
  context,
  seller,
}) => {
  await chargeRefunds(seller);
  await paidDeposit(seller, { client: { name: "Bento Reis", email: "bento@example.com", cpf: "11144477735" } });
  const { identifier } = await paidDeposit(seller);
  const before = await balances(seller);
  await context.addCookies([await staffCookie()]);
  await see(page, `/operator/accounts/${seller.accountId}/transactions`);
  await expect(content(page).getByRole("heading", { name: `Vendas de ${seller.account.name}` })).toBeVisible();
  await page.getByLabel("Buscar nas vendas").first().fill(identifier);
  await page.keyboard.press("Enter");
  await expect(content(page).getByRole("link", { name: /Bento Reis/ })).toHaveCount(0);
  await content(page).getByRole("link", { name: "Limpar filtros" }).first().click();
  await expect(content(page).getByRole("link", { name: /Bento Reis/ }), "still of the same account").toBeVisible();
  await content(page).locator(`a[href$="/${identifier}"]`).click();
  await expect(content(page).getByRole("row", { name: /^Líquido para o vendedor/ })).toBeVisible();

  await page.getByRole("button", { name: "Estornar", exact: true }).click(); // 1
  const held = form(page).getByRole("row", { name: /^Bloqueado do saldo do vendedor até a decisão/ });
  await expect(held).toContainText(/R\$\s133,50/);
  await form(page).getByLabel("Motivo").selectOption({ label: "Fraude" }); // 2
  await form(page).getByRole("button", { name: "Pedir estorno" }).click();
  await expect(form(page).getByText("Escreva ao vendedor por que a operação pede este estorno.")).toBeVisible();
  await expect(form(page).getByLabel("Detalhes"), "the first fault has the focus").toBeFocused();
  await form(page).getByLabel("Detalhes").fill("O titular do cartão falou com a operação."); // 3
  await expectReadable(page, form(page));
  await form(page).getByRole("button", { name: "Pedir estorno" }).click(); // 4
  await expect(form(page)).toHaveCount(0);
  await expect(content(page).getByText("Já há um pedido em aberto.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Estornar", exact: true })).toHaveCount(0);
  expect(await balances(seller)).toEqual([(before[0] ?? 0) - 13_200 - FEE, 13_200 + FEE]);

  await content(page).getByRole("link", { name: "Fraude" }).click();
  await expect(page).toHaveURL(/\/operator\/refunds\/[0-9a-f-]{36}\/rfd_[0-9a-f]{32}$/);
  const code = page.url().split("/").at(-1) ?? "";
  await expect(page.getByRole("button", { name: "Aprovar estorno" })).toBeVisible();

  await context.addCookies([await sessionCookie(seller.accountId)]);
  await see(page, `/refunds/${code}`);
  await expect(
    content(page)
      .getByText(/“O titular do cartão falou com a operação\.”/)
      .first(),
  ).toBeVisible();
  await expect(
    content(page)
      .getByText(/Pela operação/)
      .first(),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Desistir do estorno" }), "the operator ends it").toHaveCount(0);
});

test("a refund is asked for by the keyboard alone, of a part of the sale, pasted with its marks", async ({
  page,
  seller,
}) => {
  await chargeRefunds(seller);
  const { identifier } = await paidDeposit(seller, { amount: 1_234.56 });
  await see(page, `/transactions/${identifier}`);
  await page.getByRole("button", { name: "Estornar", exact: true }).focus();
  await page.keyboard.press("Enter");
  const amount = form(page).getByLabel("Valor do estorno");
  await expect(amount, "the first field has the focus").toBeFocused();
  await expect(amount).toHaveValue("1.234,56");
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData("text", "R$ 1.000,10");
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
  });
  await expect(amount).toHaveValue("1.000,10");
  await expect(form(page).getByText(/Depois restam R\$\s234,46 desta venda/)).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.type("Fraude");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Cartão clonado.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(form(page)).toHaveCount(0);
  await expect(content(page).getByRole("link", { name: "Fraude" })).toBeVisible();
});

test.describe("where the API refuses", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("the form keeps what was typed: too much, more than the seller has, and a sale that has an open refund", async ({
    page,
    seller,
  }) => {
    const { identifier } = await paidDeposit(seller);
    await chargeRefunds(seller, 100_000_000);
    await see(page, `/transactions/${identifier}`);
    await page.getByRole("button", { name: "Estornar", exact: true }).click();
    const amount = form(page).getByLabel("Valor do estorno");
    const send = form(page).getByRole("button", { name: "Pedir estorno" });
    await amount.fill("13201");
    await form(page).getByLabel("Motivo").selectOption("fraud");
    await form(page).getByLabel("Detalhes").fill("Cartão clonado.");
    await send.click();
    await expect(form(page).getByText(/^Informe um valor de até R\$\s132,00, o que resta/)).toBeVisible();
    await expect(amount).toHaveValue("132,01");
    await amount.fill("13200");
    await send.click();
    await expect(form(page).getByText("O seu saldo disponível não cobre este valor e a taxa.")).toBeVisible();
    await chargeRefunds(seller);
    await askRefund(seller, identifier, { amount: "1.00" });
    await send.click();
    await expect(form(page).getByText("Esta venda já tem um pedido de estorno em aberto.")).toBeVisible();
    await expect(amount).toHaveValue("132,00");
    await expect(form(page).getByLabel("Detalhes")).toHaveValue("Cartão clonado.");
  });
});

test("a card sale's refund says what of it comes from the sale's own money and from its recipients, and a subscription's asks what becomes of it", async ({
  page,
  seller,
}) => {
  await chargeRefunds(seller);
  const split = [{ percentage: 30, user_id: await seller.recipient() }];
  await see(page, `/transactions/${await cardSale(seller, "4111111111111111", { split })}`);
  await page.getByRole("button", { name: "Estornar", exact: true }).click();
  await expect(form(page).getByRole("row", { name: /^Parte de/ })).toHaveCount(1);
  await expect(form(page).getByText(/saem do que esta venda ainda vai liberar/)).toBeVisible();
  await expect(form(page).getByRole("group", { name: "A assinatura desta venda" })).toHaveCount(0);

  const { data } = await plan(seller, await product(seller));
  const { token, sale } = await enrol(seller, data.token, { name: "Zélia Prado" });
  await payNow(seller, sale);
  await expect.poll(async () => (await read(seller, token)).status).toBe("active");
  await see(page, `/transactions/${sale}`);
  await page.getByRole("button", { name: "Estornar", exact: true }).click();
  const choice = form(page).getByRole("group", { name: "A assinatura desta venda" });
  await expect(choice.getByLabel("Continua como está")).toBeChecked();
  await expect(form(page).getByText("A assinatura continua, e a próxima cobrança não muda.")).toBeVisible();
  await choice.getByLabel("Termina no fim do período pago").check();
  await expect(form(page).getByText(/A assinatura termina no fim do período pago, sem/)).toBeVisible();
  await form(page).getByLabel("Motivo").selectOption("buyer_withdrawal");
  await form(page).getByRole("button", { name: "Pedir estorno" }).click();
  await content(page).getByRole("link", { name: "Arrependimento do comprador" }).click();
  await expect(content(page).getByText("Termina no fim do período pago")).toBeVisible();
});

test("a seller takes a request back after a confirmation that says what happens, and the list has it with its status", async ({
  page,
  seller,
}) => {
  const before = await balances(seller);
  const { refund } = await refunded(seller);
  await see(page, "/refunds");
  await content(page)
    .getByRole("link", { name: /Zélia Prado/ })
    .click();
  await page.getByRole("button", { name: "Desistir do estorno" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Desistir deste estorno?" });
  await expect(dialog).toContainText(/R\$\s41,50, volta agora, e quem pagou não recebe nada/);
  await expectReadable(page, dialog);
  await dialog.getByRole("button", { name: "Desistir do estorno" }).click();
  await expect(content(page).getByText("Cancelado", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Desistir do estorno" })).toHaveCount(0);
  expect((await balances(seller))[1]).toBe(0);
  expect((await balances(seller))[0]).toBeGreaterThan(before[0] ?? 0);
  await see(page, "/refunds");
  await page.getByLabel("Situação").selectOption("pending");
  await expect(content(page).getByText("Nenhum estorno com estes filtros.")).toBeVisible();
  await page.getByLabel("Situação").selectOption("cancelled");
  await expect(content(page).locator(`a[href$="${refund.code}"]`)).toBeVisible();
});

test("the operator approves, the money goes back, and the seller, the sale, the webhook and the recipient show it", async ({
  page,
  context,
  seller,
}) => {
  const shop = await receiver({ status: 200 });
  await seller.api("POST", "/api/partner/v1/webhooks", {
    title: "Loja",
    url: shop.url,
    event: "refund",
    trigger_all_products: true,
  });
  const { refund, sale } = await refunded(seller);
  await context.addCookies([await staffCookie()]);
  await see(page, `/operator/refunds/${seller.accountId}/${refund.code}`);
  await page.getByRole("button", { name: "Aprovar estorno" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Devolver este valor?" });
  await expect(dialog).toContainText(/R\$\s40,00 volta para quem pagou/);
  await expectReadable(page, dialog);
  await dialog.getByRole("button", { name: "Aprovar estorno" }).click();
  await expect(
    content(page)
      .getByText(/^(Aprovado|Em processamento)$/)
      .first(),
  ).toBeVisible();

  await context.addCookies([await sessionCookie(seller.accountId)]);
  await see(page, `/refunds/${refund.code}`);
  await page.getByRole("button", { name: "Simular: devolvido" }).click();
  await expect(content(page).getByText("Concluído", { exact: true }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Simular: devolvido" })).toHaveCount(0);
  expect((await balances(seller))[1]).toBe(0);
  const told = () =>
    shop.received.map(({ body }) => JSON.parse(body)).map(({ event, refund }) => [event, refund.status]);
  await expect.poll(told).toContainEqual(["refund.updated", "completed"]);
  await shop.close();
  await see(page, `/transactions/${sale}`);
  await expect(content(page).getByText(/^Restam R\$\s92,00 para estornar/)).toBeVisible();
  await expect(content(page).getByText("Pagamento do estorno").first()).toBeVisible();
  expect(await violationsIn(page)).toEqual([]);
});

for (const width of [1280, 360]) {
  test(`Home says what a refund holds, and a recipient sees what it took back of its earnings (${width} px)`, async ({
    page,
    context,
    seller,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    const guest = await makeSeller();
    await chargeRefunds(seller);
    const split = [{ percentage: 30, user_id: guest.clientId }];
    const { identifier: sale } = await paidDeposit(seller, { split });
    const { code } = await askRefund(seller, sale, { amount: "40.00" });

    await see(page, "/home");
    await expect(content(page).getByRole("link", { name: /^1 estorno espera a decisão da operação/ })).toBeVisible();
    await expectClean(page);
    await content(page)
      .getByRole("link", { name: /^1 estorno em aberto segura R\$\s41,50$/ })
      .click();
    await expect(page).toHaveURL(/\/refunds\?status=open$/);
    await expect(page.getByLabel("Situação")).toHaveValue("open");
    await expect(content(page).locator(`a[href$="${code}"]`)).toBeVisible();
    await page.getByLabel("Período").selectOption("today");
    await expect(page).toHaveURL(/from=/);
    await expect(content(page).locator(`a[href$="${code}"]`)).toBeVisible();
    await expectClean(page);

    await context.addCookies([await staffCookie()]);
    await see(page, `/operator/refunds/${seller.accountId}/${code}`);
    await page.getByRole("button", { name: "Aprovar estorno" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Aprovar estorno" }).click();
    await expect(
      content(page)
        .getByText(/^(Aprovado|Em processamento)$/)
        .first(),
    ).toBeVisible();
    await context.addCookies([await sessionCookie(seller.accountId)]);
    await see(page, `/refunds/${code}`);
    await page.getByRole("button", { name: "Simular: devolvido" }).click();
    await expect(content(page).getByText("Concluído", { exact: true }).first()).toBeVisible();
    await see(page, `/transactions/${sale}`);
    await expect(
      content(page).getByText(/^R\$\s40,00 de R\$\s132,00 já voltaram para quem pagou\.$/),
      "and what is left",
    ).toBeVisible();

    await context.addCookies([await sessionCookie(guest.accountId)]);
    for (const address of ["/splits/earnings", "/splits/earnings/sales"]) {
      await expect(async () => {
        await see(page, address);
        const row = content(page).getByRole("row", { name: /Vendas sem plano/ });
        await expect(row).toContainText(/R\$\s27,05/, { timeout: 1_000 });
        await expect(row).toContainText(/R\$\s11,76 de R\$\s38,81 voltaram em estornos/, { timeout: 1_000 });
      }).toPass();
      await expectClean(page);
    }
    expect(await balances(guest), "as the balance always did").toEqual([500_000 + 3_881 - 1_176, 0]);
    await expect(guest.api("GET", `/api/partner/v1/transaction/${sale}`), "the sale is its seller's").rejects.toThrow(
      "404",
    );
  });
}
