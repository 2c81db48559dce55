import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { dayOf } from "@/components/format";
import { prisma } from "@/lib/db";
import { hashPassword } from "@/lib/users/password";
import { deposit, expect, test } from "./fixtures";
import { ownerOf, PASSWORD } from "./people";
import { photographOpen, violationsIn } from "./pictures";
import { product } from "./splits";
import { countSteps } from "./steps";
import { see } from "./visits";

/** A receiver that keeps what it got. */
async function openReceiver() {
  const got: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    got.push({ headers: request.headers as Record<string, string>, body: Buffer.concat(chunks).toString() });
    response.writeHead(200).end("Recebido.");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  return { url, got, close: () => server.close() };
}

test("a webhook is made, tested and rotated, and its receiver takes what comes with either secret", async ({
  page,
  seller,
}, info) => {
  await product(seller, { name: "Clube do Livro" });
  const receiver = await openReceiver();
  await see(page, "/webhooks");
  await page.getByRole("button", { name: "Novo webhook" }).click();
  await page.getByLabel("Nome").fill("Loja");
  await page.getByLabel("Endereço").fill(receiver.url);
  await page.getByLabel("só de alguns").check();
  await page.getByRole("button", { name: "Criar webhook" }).click();
  await expect(page.getByText("Escolha ao menos um produto.")).toBeVisible();
  await page.getByLabel("Clube do Livro").check();
  await page.getByRole("button", { name: "Criar webhook" }).click();
  const secretShown = () => page.getByRole("dialog").locator("code").last().textContent();
  const first = new Webhook((await secretShown()) ?? "");
  await page.getByRole("button", { name: "Já guardei" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("O que avisar").selectOption({ label: "Venda criada" });
  await dialog.getByRole("button", { name: "Enviar teste" }).click();
  await expect(dialog.getByText("Aceita")).toBeVisible();
  await expect(dialog.getByText("HTTP 200")).toBeVisible();
  await expect(dialog.getByText("Recebido.")).toBeVisible();
  await expect(dialog.getByText("dados inventados")).toBeVisible();
  const [tried] = receiver.got;
  if (!tried) throw new Error("Nothing was received");
  expect(first.verify(tried.body, tried.headers)).toMatchObject({ event: "transaction.created", test: true });
  await photographOpen(page, info, "test");
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Loja" }).first().click();
  await expect(page.getByText("Nada foi enviado ainda.")).toBeVisible();

  await page.getByRole("button", { name: "Trocar segredo…" }).click();
  expect(await violationsIn(page, "all")).toEqual([]);
  await page.screenshot({ path: info.outputPath("rotate-360.png") });
  await dialog.getByRole("button", { name: "Trocar o segredo" }).click();
  await expect(dialog.getByText("vale por mais 24 horas")).toBeVisible();
  const second = new Webhook((await secretShown()) ?? "");
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.screenshot({ path: info.outputPath("rotated-1280.png") });
  await page.getByRole("button", { name: "Já guardei" }).click();
  await expect(page.getByText("Segredo anterior vale até", { exact: true })).toBeVisible();
  await page.screenshot({ path: info.outputPath("webhook-1280.png") });

  await page.getByRole("button", { name: "Testar…" }).click();
  await dialog.getByRole("button", { name: "Enviar teste" }).click();
  await expect(dialog.getByText("Aceita")).toBeVisible();
  const last = receiver.got.at(-1);
  for (const secret of [first, second])
    expect(() => secret.verify(last?.body ?? "", last?.headers ?? {})).not.toThrow();
  receiver.close();
});

test("whoever has just signed in makes a webhook for one product and tests it in eleven steps", async ({
  page,
  context,
  seller,
}, info) => {
  await product(seller, { name: "Clube do Livro" });
  const receiver = await openReceiver();
  const { userId } = await ownerOf(seller);
  await prisma().user.update({ where: { id: userId }, data: { passwordHash: await hashPassword(PASSWORD) } });
  await context.clearCookies();
  await context.grantPermissions(["clipboard-write"]);
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(seller.email);
  await page.getByLabel("Senha").fill(PASSWORD);
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page).toHaveURL(/\/home$/);
  const steps = await countSteps(page);
  await page.reload();
  const begun = Date.now();
  await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("button", { name: "Novo webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Nome").fill("Loja");
  await dialog.getByLabel("Endereço").fill(receiver.url);
  await dialog.getByLabel("Quando avisar").selectOption({ label: "Cobrança paga" });
  await dialog.getByLabel("só de alguns").check();
  await dialog.getByLabel("Clube do Livro").check();
  await dialog.getByRole("button", { name: "Criar webhook" }).click();
  const secret = new Webhook((await dialog.locator("code").last().textContent()) ?? "");
  await dialog.getByRole("button", { name: "Segredo (Standard Webhooks)" }).click();
  await dialog.getByRole("button", { name: "Já guardei" }).click();
  await dialog.getByRole("button", { name: "Enviar teste" }).click();
  await expect(dialog.getByText("HTTP 200")).toBeVisible();
  info.annotations.push({ type: "seconds", description: String((Date.now() - begun) / 1000) });
  const [tried] = receiver.got;
  expect(secret.verify(tried?.body ?? "", tried?.headers ?? {})).toMatchObject({ test: true });
  expect(steps).toEqual({ presses: 8, fields: 3 });
  await dialog.getByRole("button", { name: "Fechar" }).click();
  await expect(page.getByRole("link", { name: "Loja" }).first()).toBeVisible();
  receiver.close();
});

test("a period is counted and sent again to a webhook that was made later, and the page shows how far it is", async ({
  page,
  seller,
}, info) => {
  const [first, receiver] = await Promise.all([openReceiver(), openReceiver()]);
  const body = { title: "Loja", event: "transaction", trigger_all_products: true };
  const make = (url: string) => seller.api<{ id: number }>("POST", "/api/partner/v1/webhooks", { ...body, url });
  await make(first.url);
  await Promise.all([deposit(seller), deposit(seller)]);
  await expect.poll(() => first.got.length).toBe(2); // what is not planned yet would be sent to the later one too
  const { id } = await make(receiver.url);
  await see(page, `/webhooks/${id}`);
  await page.getByRole("button", { name: "Reenviar um período…" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Contar" }).click();
  await expect(dialog.getByText("2 avisos nunca foram enviados a este webhook.")).toBeVisible();
  await photographOpen(page, info, "replay");
  await dialog.getByLabel("Até").fill("2020-01-01");
  await dialog.getByLabel("De", { exact: true }).fill("2020-01-01");
  await dialog.getByRole("button", { name: "Contar" }).click();
  await expect(dialog.getByText("Nada a reenviar nesses dias.")).toBeVisible();
  await dialog.getByLabel("De", { exact: true }).fill(dayOf(new Date()));
  await dialog.getByLabel("Até").fill(dayOf(new Date()));
  await dialog.getByRole("button", { name: "Contar" }).click();
  await dialog.getByRole("button", { name: "Reenviar 2 avisos" }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole("heading", { name: "Último reenvio, terminado" })).toBeVisible();
  await expect(page.getByText("2 avisos postos na fila de envio.")).toBeVisible();
  await expect.poll(() => new Set(receiver.got.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  await expect(page.locator("summary", { hasText: "Entregue" })).toHaveCount(2);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.screenshot({ path: info.outputPath("replayed-1280.png") });
  for (const { close } of [first, receiver]) close();
});
