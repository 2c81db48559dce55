import { secretOfInvite } from "@/lib/testing/mails";
import type { Page, Seller } from "./fixtures";
import { accept, earn, invite, invitedBy, plan, product } from "./splits";
import { follow, heldOnTheWay, hold, type Scenes, see, seeBroken, spoil } from "./visits";

/** Earnings of no month, as no page can show them; their totals agree with them. */
const IN_NO_MONTH = `with spoiled as (update earnings set paid_at = 'infinity' where account_id = $1::uuid)
  update earning_totals set month = 'infinity' where account_id = $1::uuid`;

/** The pages and dialogs of splits. */
export const splitPages: Scenes = {
  splits: {
    scenes: {
      empty: ({ page }) => see(page, "/splits"),
      full: async ({ page, seller }) => {
        const { id } = await invitedBy(seller, "12.50");
        await accept(seller, id);
        await invitedBy(seller, "30", { name: "Anual com entrega em casa e um encontro por mês", amount: "1299.00" });
        await invitedBy(seller, "7.25");
        await see(page, "/splits");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/splits"),
      error: async ({ page, seller }) => {
        const { other } = await invitedBy(seller);
        await spoil(other, "update plan_splits set invited_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/splits");
      },
    },
  },
  "splits-sent": {
    scenes: {
      empty: ({ page }) => see(page, "/splits/sent"),
      full: async ({ page, seller }) => {
        const token = await sharedPlan(seller);
        const gone = await invite(seller, token, "um-endereco-muito-comprido-de-quem-recebe@exemplo.com.br", "5");
        await seller.api("DELETE", `/api/partner/v1/subscription-splits/${gone}`);
        await see(page, "/splits/sent");
      },
      loading: ({ page }) => heldOnTheWay(page, "/splits", "/splits/sent"),
      error: async ({ page, seller }) => {
        await sharedPlan(seller);
        await spoil(seller, "update plan_splits set invited_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/splits/sent");
      },
    },
  },
  "splits-earnings": {
    scenes: {
      empty: ({ page }) => see(page, "/splits/earnings"),
      full: async ({ page, seller }) => {
        await earn(seller, [49.9, 1299, 75]);
        await earn(seller, [132]);
        await see(page, "/splits/earnings");
      },
      loading: ({ page }) => heldOnTheWay(page, "/splits", "/splits/earnings"),
      error: async ({ page, seller }) => {
        await earn(seller, [49.9]);
        await spoil(seller, IN_NO_MONTH);
        await seeBroken(page, "/splits/earnings");
      },
    },
  },
  "splits-sales": {
    scenes: {
      empty: ({ page }) => see(page, "/splits/earnings/sales?month=2020-01"),
      full: async ({ page, seller }) => {
        const token = await earn(seller, [49.9, 1299, 75]);
        await see(page, `/splits/earnings/sales?plan=${token}`);
      },
      loading: async ({ page, seller }) => {
        const token = await earn(seller, [49.9]);
        await see(page, "/splits/earnings");
        await hold(page, "**/splits/earnings/sales**");
        const link = page.locator(`a[href$="&plan=${token}"]`);
        await follow(page, ((await link.getAttribute("href")) ?? "").replace(/^\/[\w-]+/, ""));
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        await earn(seller, [49.9]);
        await spoil(seller, IN_NO_MONTH);
        await seeBroken(page, "/splits/earnings/sales");
      },
    },
  },
  invite: {
    scenes: {
      empty: ({ page }) => see(page, "/invite/nenhum-convite-tem-este-segredo"),
      full: async ({ page, seller }) => see(page, `/invite/${await secretOfInvite((await invitedBy(seller)).id)}`),
      loading: async ({ page, seller }) => {
        await see(page, `/invite/${await secretOfInvite((await invitedBy(seller)).id)}`);
        await hold(page, "**/api/dashboard/v1/invitations/accept");
        await page.getByRole("button", { name: "Aceitar repasse" }).click();
      },
      error: async ({ page, seller }) => {
        const { data } = await plan(seller, await product(seller));
        const id = await invite(seller, data.token, "ana@exemplo.com.br", "10");
        await see(page, `/invite/${await secretOfInvite(id)}`); // its own invite, which it cannot accept
        await page.getByRole("button", { name: "Aceitar repasse" }).click();
        await page.getByText("Este convite saiu da sua própria conta").waitFor();
      },
    },
  },
  "invite-accepted": {
    scenes: {
      empty: async ({ page, seller }) => {
        const { id } = await invitedBy(seller);
        await see(page, `/invite/${await secretOfInvite(id)}`);
        await page.getByRole("button", { name: "Recusar" }).click();
        await page.getByRole("alertdialog").getByRole("button", { name: "Recusar" }).click();
        await page.getByRole("heading", { name: "Convite recusado" }).waitFor();
      },
      full: async ({ page, seller }) => {
        await see(page, `/invite/${await secretOfInvite((await invitedBy(seller)).id)}`);
        await page.getByRole("button", { name: "Aceitar repasse" }).click();
        await page.getByRole("heading", { name: "Repasse aceito" }).waitFor();
      },
      loading: async ({ page, seller }) => {
        await invitedBy(seller);
        await see(page, "/splits");
        await page.getByRole("button", { name: /^Aceitar/ }).click();
        await hold(page, "**/subscription-splits/*/accept");
        await page.getByRole("button", { name: "Aceitar repasse" }).click();
      },
      error: async ({ page, seller }) => {
        const { other, id } = await invitedBy(seller);
        await see(page, `/invite/${await secretOfInvite(id)}`);
        await other.api("DELETE", `/api/partner/v1/subscription-splits/${id}`);
        await page.getByRole("button", { name: "Aceitar repasse" }).click();
        await page.getByText("Isto não existe mais").waitFor();
      },
    },
  },
  "plan-form": {
    scenes: {
      empty: async ({ page, seller }) => openPlanForm(page, await product(seller)),
      full: async ({ page, seller }) => {
        await openPlanForm(page, await product(seller));
        await fillPlan(page, "ana@exemplo.com.br");
        await page.getByText("Você recebe").waitFor();
      },
      loading: async ({ page, seller }) => {
        await openPlanForm(page, await product(seller));
        await fillPlan(page, "ana@exemplo.com.br");
        await hold(page, "**/subscription-plans");
        await page.getByRole("button", { name: "Criar plano" }).click();
      },
      error: async ({ page, seller }) => {
        await openPlanForm(page, await product(seller));
        await fillPlan(page, "ana@exemplo");
        await page.getByRole("button", { name: "Criar plano" }).click();
        await page.getByText("Informe um e-mail.").waitFor();
      },
    },
  },
  "plan-splits": {
    scenes: {
      empty: async ({ page, seller }) => {
        const id = await product(seller);
        await plan(seller, id);
        await openSplits(page, id);
        await page.getByRole("button", { name: "Enviar convite" }).waitFor();
      },
      full: async ({ page, seller }) => {
        const id = await product(seller);
        await sharedPlan(seller, id);
        await openSplits(page, id);
        await page.getByText("bento@exemplo.com.br").first().waitFor();
      },
      loading: async ({ page, seller }) => {
        const id = await product(seller);
        await sharedPlan(seller, id);
        await see(page, `/products/${id}`);
        await hold(page, "**/splits?**");
        await page.getByRole("button", { name: "Repasses de Mensal" }).click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        const id = await product(seller);
        await sharedPlan(seller, id);
        await see(page, `/products/${id}`);
        await page.route("**/splits?**", (route) => route.abort());
        await page.getByRole("button", { name: "Repasses de Mensal" }).click();
        await page.getByRole("button", { name: "Tentar de novo" }).first().waitFor();
      },
    },
  },
};

/** A plan of the seller with two open splits; returns its token. */
async function sharedPlan(seller: Seller, productId?: string): Promise<string> {
  const { data } = await plan(seller, productId ?? (await product(seller)));
  await invite(seller, data.token, "bento@exemplo.com.br", "17.50");
  await invite(seller, data.token, "clara@exemplo.com.br", "12.50");
  return data.token;
}

async function openPlanForm(page: Page, productId: string) {
  await see(page, `/products/${productId}`);
  await page.getByRole("button", { name: "Novo plano" }).click();
  await page.getByLabel("Nome").waitFor();
}

async function fillPlan(page: Page, email: string) {
  await page.getByLabel("Nome").fill("Mensal");
  await page.getByLabel("Valor de cada cobrança").fill("100,00");
  for (const [place, [address, percentage]] of [
    ["bento@exemplo.com.br", "30"],
    [email, "12,35"],
  ].entries()) {
    await page.getByRole("button", { name: "Adicionar repasse" }).click();
    await page
      .getByLabel("E-mail")
      .nth(place)
      .fill(address ?? "");
    await page
      .getByLabel("Percentual")
      .nth(place)
      .fill(percentage ?? "");
  }
}

async function openSplits(page: Page, productId: string) {
  await see(page, `/products/${productId}`);
  await page.getByRole("button", { name: "Repasses de Mensal" }).click();
}
