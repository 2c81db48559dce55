import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { generateCnpj } from "@brazilian-utils/brazilian-utils";
import { forAccount } from "@/lib/db";
import { deposit, expect, mailedLink, paidDeposit, test } from "./fixtures";
import { countSteps } from "./steps";

test("a new seller signs up, follows the mail's link, is in its sandbox, and has a first paid deposit", async ({
  page,
  context,
}) => {
  await context.clearCookies();
  const email = `ana-${Date.now()}@exemplo.com.br`;
  const password = "chuva miúda no telhado";
  await page.goto("/sign-up");
  await page.getByLabel("Nome da empresa").fill("Ateliê Aurora");
  await page.getByLabel("CNPJ ou CPF").fill(generateCnpj());
  await page.getByLabel("Seu nome").fill("Ana Prado");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha").fill(password);
  await page.getByRole("button", { name: "Criar conta" }).click();
  await expect(page.getByRole("heading", { name: "Confira o seu e-mail" })).toBeFocused();
  await expect(page.getByText(email)).toBeVisible();

  await page.goto(await mailedLink(email, "confirm_address"));
  await page.getByLabel("Senha").fill(password);
  await page.getByRole("button", { name: "Confirmar e-mail" }).click();
  await expect(page).toHaveURL(/\/home$/);
  await expect(page.getByText("Ambiente de testes: nada aqui move dinheiro de verdade.").first()).toBeVisible();

  await page.getByRole("link", { name: "Nova cobrança" }).click();
  await page.getByLabel("Valor").pressSequentially("1999");
  await expect(page.getByLabel("Valor")).toHaveValue("19,99");
  await page.getByRole("button", { name: "Gerar cobrança" }).click();
  await expect(page.getByRole("img", { name: /QR code Pix de R\$\s19,99/ })).toBeVisible();

  await page.getByRole("button", { name: "Simular pagamento" }).click();
  await expect(page.getByText("Cobrança paga").first()).toBeVisible();

  await page.getByRole("link", { name: "Ver a venda" }).click();
  await expect(page.getByText("Líquido para você").first()).toBeVisible();
  await expect(page.getByText("R$ 19,59").first()).toBeVisible();
});

test.describe("signing up when the server cannot be reached", () => {
  test.use({ allowErrors: /Failed to load resource/ });

  test("reports it once, keeps what was typed, and does not report it again while a fault is corrected", async ({
    page,
    context,
  }) => {
    await context.clearCookies();
    await page.goto("/sign-up");
    await page.route("**/api/public/v1/sign-up", (route) => route.abort());
    const [name, send] = [page.getByLabel("Seu nome"), page.getByRole("button", { name: "Criar conta" })];
    await page.getByLabel("Nome da empresa").fill("Ateliê Aurora");
    await page.getByLabel("CNPJ ou CPF").fill(generateCnpj());
    await name.fill("Ana Prado");
    await page.getByLabel("E-mail").fill("ana@exemplo.com.br");
    await page.getByLabel("Senha").fill("chuva miúda no telhado");
    await send.click();
    const failure = page.getByRole("alert").filter({ hasText: "Sem resposta" });
    await expect(failure).toBeVisible();
    await expect(name).toHaveValue("Ana Prado");
    await name.fill("");
    await send.click();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await name.fill("Ana Prado");
    await expect(name).not.toHaveAttribute("aria-invalid", "true");
    await expect(failure).toHaveCount(0);
  });
});

test("the page of a deposit shows by itself that its payer paid", async ({ page, seller }) => {
  const { identifier } = await deposit(seller);
  await page.goto(`/charges/${identifier}`);
  await expect(page.getByText("Aguardando o pagamento").first()).toBeVisible();
  await seller.api("POST", `/api/partner/v1/sandbox/pix/${identifier}/pay`, {});
  await expect(page.getByText("Cobrança paga").first()).toBeVisible();
});

test("a credential made in the dashboard mints a token, and its secret is not shown again", async ({
  page,
  seller,
}) => {
  expect(seller.accountId).toBeTruthy();
  await page.goto("/credentials");
  await page.getByRole("button", { name: "Nova credencial" }).click();
  await page.getByLabel("Nome").fill("ERP");
  await page.getByRole("button", { name: "Criar credencial" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("Guarde agora")).toBeVisible();
  const [client_id, client_secret = "", apiKey = ""] = await dialog.locator("code").allTextContents();
  const minted = await page.request.post("/api/partner/v1/auth-token", { data: { client_id, client_secret } });
  expect(minted.status()).toBe(200);
  await dialog.getByRole("button", { name: "Já guardei" }).click();
  await page.reload();
  const after = (await page.textContent("body")) ?? "";
  for (const secret of [client_secret, apiKey]) expect(after).not.toContain(secret);
});

test("a domain is registered, an origin tested, and a new public key ends the old one", async ({ page, seller }) => {
  expect(seller.accountId).toBeTruthy();
  await page.goto("/public-key");
  await page.getByRole("button", { name: "Cadastrar domínio" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Domínio").fill("loja.example.com/checkout");
  await dialog.getByRole("button", { name: "Cadastrar domínio" }).click();
  await expect(dialog.getByText("Use https://loja.example.com, que é como")).toBeVisible();
  await expect(dialog.getByLabel("Domínio")).toBeFocused();
  await dialog.getByLabel("Domínio").fill("https://loja.example.com");
  await dialog.getByRole("button", { name: "Cadastrar domínio" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "https://loja.example.com" })).toBeVisible();
  await expect(page.getByText("1 de 10").first()).toBeVisible();

  for (const [origin, answer] of [
    ["https://loja.example.com", "As páginas desta origem podem usar a chave."],
    ["https://outra.example.com", "Não está entre os domínios cadastrados."],
    ["https://loja.example.com/", "Use https://loja.example.com, que é como"],
    ["ftp://loja.example.com", "Não tem a forma de uma origem."],
  ] as const) {
    await page.getByLabel("Origem").fill(origin);
    await page.getByRole("button", { name: "Testar" }).click();
    await expect(page.getByText(answer)).toBeVisible();
  }

  const key = page.locator("code", { hasText: /^pk_test_/ });
  const old = (await key.textContent()) ?? "";
  await page.getByRole("button", { name: "Gerar nova chave" }).click();
  await expect(page.getByText("A chave atual para de funcionar na hora")).toBeVisible();
  await page.getByRole("alertdialog").getByRole("button", { name: "Gerar nova chave" }).click();
  await expect(key).not.toHaveText(old);
  const refused = await page.request.post("/api/public/v1/card-tokens", {
    headers: { "x-public-key": old, origin: "https://loja.example.com" },
    data: {},
  });
  expect(refused.status()).toBe(401);

  await page.getByRole("button", { name: "Remover https://loja.example.com" }).click();
  await page.getByRole("button", { name: "Remover domínio" }).click();
  await expect(page.getByText("Nenhum domínio ainda.").first()).toBeVisible();
});

test("an account without cards sees a notice in place of a key", async ({ page, seller }) => {
  await forAccount(seller.accountId, (tx) =>
    tx.account.update({ where: { id: seller.accountId }, data: { features: [] } }),
  );
  await page.goto("/public-key");
  await expect(page.getByText("Esta conta ainda não pode receber por cartão.").first()).toBeVisible();
  await expect(page.getByText("pk_test_")).toHaveCount(0);
});

test("a failed delivery shows why, and a resend reaches the receiver", async ({ page, seller }) => {
  const receiver = await openReceiver();
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Novo webhook" }).click();
  await page.getByLabel("Nome").fill("Loja");
  await page.getByLabel("Endereço").fill(receiver.url);
  await page.getByRole("button", { name: "Criar webhook" }).click();
  await page.getByRole("button", { name: "Já guardei" }).click();
  await page.keyboard.press("Escape");

  await paidDeposit(seller);
  await expect.poll(() => receiver.bodies.length).toBeGreaterThanOrEqual(2);
  const overview = () => seller.api<{ data: object }>("GET", "/api/dashboard/v1/overview");
  await expect.poll(overview).toMatchObject({ data: { failing_webhooks: 1 } });
  receiver.answer = 200;
  const steps = await countSteps(page);
  await page.goto("/home");
  await page.getByRole("link", { name: "1 webhook está falhando" }).click();
  await page.locator("summary", { hasText: "Venda alterada" }).click();
  await expect(page.getByText("Respondeu com erro").first()).toBeVisible();
  await page.locator("details[open]").getByRole("button", { name: "Reenviar" }).click();
  await expect(page.getByText("Reenvio pedido").first()).toBeVisible();
  expect(steps).toEqual({ presses: 3, fields: 0 });
  await expect.poll(() => receiver.bodies.filter((body) => body.includes("transaction.updated")).length).toBe(2);
  receiver.close();
});

test("moving a webhook to another server announces a new token before it is saved, and shows it once after", async ({
  page,
  seller,
}) => {
  expect(seller.accountId).toBeTruthy();
  await page.goto("/webhooks");
  await page.getByRole("button", { name: "Novo webhook" }).click();
  await page.getByLabel("Nome").fill("Loja");
  await page.getByLabel("Endereço").fill("http://localhost:9/a");
  await page.getByRole("button", { name: "Criar webhook" }).click();
  const first = await page.getByRole("dialog").locator("code").first().textContent();
  await page.getByRole("button", { name: "Já guardei" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Loja" }).first().click();

  await page.getByRole("button", { name: "Editar" }).click();
  await page.getByLabel("Endereço").fill("http://localhost:9/b");
  await expect(page.getByText("o token atual deixa de valer")).toHaveCount(0);
  await page.getByLabel("Endereço").fill("http://localhost:10/b");
  await expect(page.getByText("o token atual deixa de valer")).toBeVisible();
  await page.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByText("Novo token do webhook")).toBeVisible();
  const second = await page.getByRole("dialog").locator("code").first().textContent();
  expect(second).toMatch(/^[\w-]{43}$/);
  expect(second).not.toBe(first);
  await page.getByRole("button", { name: "Já guardei" }).click();
  await expect(page.getByText(`${second?.slice(0, 4)}…${second?.slice(-4)}`)).toBeVisible();
});

test("after signing out the session is refused", async ({ page, context, seller }) => {
  expect(seller.accountId).toBeTruthy();
  await page.goto("/home");
  const cookies = await context.cookies();
  await page.getByRole("button", { name: /preferências e sair/ }).click();
  await page.getByText("Sair", { exact: true }).click();
  await expect(page).toHaveURL(/sign-in/);
  await context.addCookies(cookies);
  await page.goto("/home");
  await expect(page).toHaveURL(/sign-in/);
});

test("every page speaks English too", async ({ page, context, seller }) => {
  const { identifier } = await deposit(seller);
  await context.addCookies([{ name: "locale", value: "en", domain: "localhost", path: "/" }]);
  for (const path of [
    "/home",
    "/transactions",
    `/transactions/${identifier}`,
    "/charges/new",
    "/credentials",
    "/public-key",
    "/webhooks",
    "/products",
    "/splits",
    "/splits/sent",
    "/splits/earnings",
    "/splits/earnings/sales",
  ]) {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en");
    await expect(page.getByRole("navigation").first()).toContainText("Sales");
  }
});

test("filters are in the address, and a search finds a payment by e-mail or document", async ({ page, seller }) => {
  await paidDeposit(seller);
  await deposit(seller, { client: { name: "Bento Reis", email: "bento@example.com", cpf: "11144477735" } });
  await page.goto("/transactions?status=completed");
  await expect(page.getByText("Zélia Prado").first()).toBeVisible();
  await expect(page.getByText("Bento Reis").first()).toBeHidden();
  await page.goto("/transactions?search=111.444.777-35");
  await expect(page.getByText("Bento Reis").first()).toBeVisible();
  await expect(page.getByText("Zélia Prado").first()).toBeHidden();
});

test("the status filter of a webhook's deliveries is in the address, and Back shows all of them", async ({
  page,
  seller,
}) => {
  const body = { title: "Loja", url: "http://localhost:9/a", event: "transaction", trigger_all_products: true };
  const { id } = await seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", body);
  await deposit(seller);
  const deliveries = () => seller.api<{ data: object[] }>("GET", `/api/partner/v1/webhooks/${id}/deliveries`);
  await expect.poll(async () => (await deliveries()).data.length).toBe(1);
  await page.goto(`/${seller.accountId}/webhooks/${id}`);
  const content = page.locator("#content");
  const delivery = content.locator("summary", { hasText: "Venda criada" });
  const empty = content.getByText("Nenhuma entrega nesta situação.");
  await expect(delivery).toBeVisible();
  await content.getByLabel("Situação das entregas").selectOption("delivered");
  await expect(empty).toBeVisible();
  await expect(page).toHaveURL(/\?status=delivered$/);
  await page.reload();
  await expect(empty).toBeVisible();
  await page.goBack();
  await expect(delivery).toBeVisible();
});

test("a list can be paged in both directions", async ({ page, seller }) => {
  for (let number = 1; number <= 26; number += 1) await deposit(seller, { description: `Venda ${number}` });
  await page.goto("/transactions");
  const rows = page.locator("tbody tr");
  await expect(rows).toHaveCount(25);
  await expect(page.getByRole("button", { name: "Anterior" })).toBeDisabled();
  await page.getByRole("button", { name: "Próxima" }).click();
  await expect(rows).toHaveCount(1);
  await expect(page.getByText("Venda 1", { exact: false })).toBeVisible();
  await expect(page.getByRole("button", { name: "Próxima" })).toBeDisabled();
  await page.getByRole("button", { name: "Anterior" }).click();
  await expect(rows).toHaveCount(25);
  await expect(page).not.toHaveURL(/cursor/);
});

/** Answers 500 until `answer` is changed. */
async function openReceiver() {
  const receiver = { url: "", answer: 500, bodies: [] as string[], close: () => {} };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    receiver.bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(receiver.answer).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  receiver.close = () => server.close();
  return receiver;
}

test("a seller creates a product with two plans, orders them by keys, and makes the second the default", async ({
  page,
  seller,
}) => {
  expect(seller.account.features).toContain("recurring");
  await page.goto("/products");
  await page.getByRole("button", { name: "Novo produto" }).click();
  await page.getByLabel("Nome").fill("Clube do livro");
  await page.getByRole("button", { name: "Criar produto" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Clube do livro" })).toBeVisible();

  for (const [name, amount, period] of [
    ["Mensal", "4990", "R$ 49,90 a cada 30 dias"],
    ["Anual", "49900", "R$ 499,00 por ano"],
  ] as const) {
    await page.getByRole("button", { name: "Novo plano" }).click();
    await page.getByLabel("Nome").fill(name);
    await page.getByLabel("Valor de cada cobrança").fill(amount);
    await page.getByLabel("Período").selectOption({ label: name });
    await page.getByRole("button", { name: "Criar plano" }).click();
    await page.getByRole("button", { name: "Concluir" }).click();
    await expect(page.getByText(period)).toBeVisible();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
  const names = () => page.getByRole("main").locator("li .font-semibold").allTextContents();
  expect(await names()).toEqual(["Mensal", "Anual"]);

  await page.getByRole("button", { name: "Subir Anual" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(names).toEqual(["Anual", "Mensal"]);
  await page.getByRole("button", { name: "Tornar padrão: Anual" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "R$ 499,00 por ano" })).toContainText("Padrão");

  await page.getByRole("button", { name: "Arquivar Mensal" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Arquivar" }).click();
  await expect.poll(names).toEqual(["Anual"]);
});

test("a plan whose name says another period than the one that is chosen is asked about before it is saved", async ({
  page,
  seller,
}) => {
  const { data } = await seller.api<{ data: { reference_id: string } }>("POST", "/api/partner/v1/products", {
    name: "Clube do livro",
  });
  await page.goto(`/products/${data.reference_id}`);
  await page.getByRole("button", { name: "Novo plano" }).click();
  await page.getByLabel("Nome").fill("Plano anual");
  await page.getByLabel("Valor de cada cobrança").fill("49900");
  await page.getByRole("button", { name: "Criar plano" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Cobrar “Plano anual” a cada 30 dias?");
  await question.getByRole("button", { name: "Corrigir" }).click();
  await page.getByLabel("Período").selectOption({ label: "Anual" });
  await page.getByRole("button", { name: "Criar plano" }).click();
  await page.getByRole("button", { name: "Concluir" }).click();
  await expect(page.getByText("R$ 499,00 por ano")).toBeVisible();

  await page.getByRole("button", { name: "Novo plano" }).click();
  await page.getByLabel("Nome").fill("Mensal");
  await page.getByLabel("Valor de cada cobrança").fill("4990");
  await page.getByLabel("Período").selectOption({ label: "Outro" });
  await page.getByLabel("Período em dias").fill("45");
  await page.getByRole("button", { name: "Criar plano" }).click();
  await question.getByRole("button", { name: "Está certo, salvar" }).click();
  await page.getByRole("button", { name: "Concluir" }).click();
  await expect(page.getByText("R$ 49,90 a cada 45 dias")).toBeVisible();
});

test.describe("a plan that cannot be billed", () => {
  test.use({ allowErrors: /422/ });

  test("says so at its field and keeps what was typed", async ({ page, seller }) => {
    const body = { name: "Clube do livro" };
    const { data } = await seller.api<{ data: { reference_id: string } }>("POST", "/api/partner/v1/products", body);
    await page.goto(`/products/${data.reference_id}`);
    await page.getByRole("button", { name: "Novo plano" }).click();
    await page.getByLabel("Nome").fill("Mensal");
    await page.getByLabel("Valor de cada cobrança").fill("4990");
    await page.getByLabel("Período").selectOption("other");
    await page.getByLabel("Período em dias").fill("31");
    await page.getByLabel("Como se cobra").selectOption("pix_automatico");
    await page.getByRole("button", { name: "Criar plano" }).click();
    await expect(page.getByText("ou um período que o Pix Automático aceita")).toBeVisible();
    await expect(page.getByLabel("Período em dias")).toBeFocused();
    await expect(page.getByLabel("Nome")).toHaveValue("Mensal");
  });
});
