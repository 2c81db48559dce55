import { prisma } from "@/lib/db";
import { type Page, type Seller, staffCookie } from "./fixtures";
import { ownerOf } from "./people";
import { heldOnTheWay, hold, pointAt, type Scenes, see, seeAsStaff, seeBroken, spoil } from "./visits";
import { payee, setTerms, withdraw, withdrawn } from "./withdrawals";

/** Breaks a withdrawal that has ended, because one under way would break the staff's list of all sellers. */
async function broken(seller: Seller): Promise<string> {
  const id = await withdrawn(seller, "paid");
  await spoil(seller, "update withdrawals set created_at = 'infinity' where account_id = $1::uuid");
  return id;
}

/** A key to which a payout stays with the simulated bank until somebody says how it ends. */
const waits = { pix_key: "zelia@example.com" };

/** The pages of withdrawals, of sellers and of the operator's staff. */
export const withdrawalPages: Scenes = {
  withdrawals: {
    scenes: {
      empty: ({ page }) => see(page, "/withdrawals"),
      full: async ({ page, seller }) => {
        await setTerms(seller, { withdrawalFee: 150 });
        await withdrawn(seller, "paid", { amount: 1_250.9 });
        await withdrawn(seller, "failed", { amount: 89, pix_key: "failed@psp.example" });
        await withdrawn(seller, "accepted", { amount: 320, ...waits });
        await setTerms(seller, { approvalAbove: 500_00 });
        await withdraw(seller, { amount: 2_000 });
        await see(page, "/withdrawals");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/withdrawals"),
      error: async ({ page, seller }) => {
        await broken(seller);
        await seeBroken(page, "/withdrawals");
      },
    },
  },
  withdrawal: {
    scenes: {
      empty: async ({ page, seller }) => {
        await setTerms(seller, { approvalAbove: 100_00 });
        await see(page, `/withdrawals/${await withdraw(seller, { description: null })}`);
      },
      full: async ({ page, seller }) => {
        await setTerms(seller, { withdrawalFee: 150 });
        await see(
          page,
          `/withdrawals/${await withdrawn(seller, "returned", { pix_key: "returned-in-parts@psp.example" })}`,
        );
      },
      loading: async ({ page, seller }) => {
        const path = `/withdrawals/${await withdrawn(seller, "paid")}`;
        await see(page, "/withdrawals");
        const link = await pointAt(page, path);
        await hold(page, `**${path}**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => seeBroken(page, `/withdrawals/${await broken(seller)}`),
    },
  },
  "withdrawal-form": {
    scenes: {
      empty: ({ page }) => see(page, "/withdrawals/new"),
      full: async ({ page, seller }) => {
        await setTerms(seller, { withdrawalFee: 150 });
        await withdrawn(seller, "paid");
        await withdrawn(seller, "paid", { pix_key: "twice@psp.example" });
        await see(page, "/withdrawals/new");
        await page.getByLabel("Valor do saque").fill("125090");
      },
      loading: async ({ page }) => {
        await fill(page);
        await hold(page, "**/api/partner/v1/pix-keys/**");
        await page.getByRole("button", { name: "Conferir o titular" }).click();
        await page.getByText("Consultando a chave…").waitFor();
      },
      error: async ({ page }) => {
        await see(page, "/withdrawals/new");
        await page.getByLabel("Chave Pix").fill("529.982.247-26");
        await page.getByLabel("Valor do saque").fill("10000");
        await page.getByRole("button", { name: "Conferir o titular" }).click();
        await page.getByText("Isto não é uma chave Pix.").waitFor();
      },
    },
  },
  "withdrawal-confirm": {
    scenes: {
      empty: async ({ page }) => confirm(page),
      full: async ({ page, seller }) => {
        await setTerms(seller, { withdrawalFee: 150, approvalAbove: 100_00 });
        await confirm(page);
      },
      loading: async ({ page }) => {
        await confirm(page);
        await hold(page, "**/api/partner/v1/cash-out");
        await page
          .getByRole("button", { name: /^Sacar R/ })
          .last()
          .click();
      },
      error: async ({ page }) => {
        await confirm(page);
        await page.route("**/api/partner/v1/cash-out", (route) => route.abort());
        await page
          .getByRole("button", { name: /^Sacar R/ })
          .last()
          .click();
        await page.getByRole("dialog").getByRole("alert").waitFor();
      },
    },
  },
  "withdrawal-receipt": {
    scenes: {
      empty: async ({ page, seller }) =>
        see(page, `/withdrawals/${await withdrawn(seller, "accepted", waits)}/receipt`),
      full: async ({ page, seller }) => {
        const id = await withdrawn(seller, "paid", { amount: 1_250.9, pix_key: "half-returned@psp.example" });
        await see(page, `/withdrawals/${id}/receipt`);
      },
      loading: async ({ page, seller }) => {
        const path = `/withdrawals/${await withdrawn(seller, "paid")}`;
        await see(page, path);
        const link = await pointAt(page, `${path}/receipt`);
        await hold(page, `**${path}/receipt**`);
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => seeBroken(page, `/withdrawals/${await broken(seller)}/receipt`),
    },
  },
  "operator-withdrawals": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/withdrawals?mode=live"),
      full: async ({ page, seller }) => {
        await unanswered(seller);
        await seeAsStaff(page, "/operator/withdrawals?mode=sandbox");
      },
      loading: async ({ page }) => {
        await page.context().addCookies([await staffCookie()]);
        await heldOnTheWay(page, "/operator/accounts", "/operator/withdrawals");
      },
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/withdrawals?page=1000000");
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
  "operator-withdrawal": {
    scenes: {
      empty: async ({ page, seller }) =>
        seeAsStaff(page, `/operator/withdrawals/${seller.accountId}/${await withdrawn(seller, "paid")}`),
      full: async ({ page, seller }) => seeAsStaff(page, await unanswered(seller)),
      loading: async ({ page, seller }) => {
        await giveUp(page, seller);
        await page.getByLabel("Motivo").fill("O banco não recebeu o pedido.");
        await hold(page, "**/give-up");
        await page.getByRole("dialog").getByRole("button", { name: "Dar por não pago" }).click();
      },
      error: async ({ page, seller }) => {
        await giveUp(page, seller);
        await page.getByRole("dialog").getByRole("button", { name: "Dar por não pago" }).click();
        await page.getByText("Escreva ao vendedor por que o saque não foi concluído.").waitFor();
      },
    },
  },
  "operator-payouts": {
    scenes: {
      empty: ({ page }) => seeAsStaff(page, "/operator/payouts"),
      full: async ({ page, seller }) => {
        await stopped(seller);
        await seeAsStaff(page, "/operator/payouts");
      },
      loading: async ({ page }) => {
        await page.context().addCookies([await staffCookie()]);
        await heldOnTheWay(page, "/operator/accounts", "/operator/payouts");
      },
      error: async ({ page }) => {
        await seeAsStaff(page, "/operator/payouts");
        await page.getByRole("button", { name: "Parar saques…" }).first().click();
        await page.getByRole("dialog").getByRole("button", { name: "Parar saques" }).click();
        await page.getByText("Escreva por que os saques param.").waitFor();
      },
    },
  },
};

/** The operator has stopped the payouts of the seller. */
async function stopped(seller: Seller) {
  const { userId: stoppedBy } = await ownerOf(seller);
  const stop = { scope: "account", target: seller.accountId, reason: "Suspeita de invasão.", stoppedBy } as const;
  await prisma().payoutStop.create({ data: stop });
}

async function giveUp(page: Page, seller: Seller) {
  await seeAsStaff(page, await unanswered(seller));
  await page.getByRole("button", { name: "Dar por não pago…" }).click();
}

/** The console's page of a withdrawal that its rail has not known for 40 minutes. */
export async function unanswered(seller: Seller): Promise<string> {
  const id = await withdrawn(seller, "sending", { pix_key: "unheard@psp.example" });
  await spoil(
    seller,
    "update calls set sent_at = now() - interval '40 minutes', asked_at = now() - interval '40 minutes' where account_id = $1::uuid and done_at is null",
  );
  return `/operator/withdrawals/${seller.accountId}/${id}`;
}

async function fill(page: Page) {
  await see(page, "/withdrawals/new");
  await page.getByLabel("Chave Pix").fill("zelia@example.com");
  await page.getByLabel("CPF ou CNPJ do titular").fill(payee.document);
  await page.getByLabel("Valor do saque").fill("15000");
  await page.getByLabel("Descrição").fill("Aluguel de novembro");
}

async function confirm(page: Page) {
  await fill(page);
  await page.getByRole("button", { name: "Conferir o titular" }).click();
  await page.getByRole("dialog").waitFor();
}
