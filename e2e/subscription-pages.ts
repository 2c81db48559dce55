import { expect } from "./fixtures";
import { enroll, everyStatus, planToken } from "./subscriptions";
import { heldOnTheWay, hold, pointAt, type Scenes, see, seeBroken, spoil } from "./visits";

const brokenSubscriptions = "update subscriptions set created_at = 'infinity' where account_id = $1::uuid";

/** The pages of subscriptions, subscribers and the sandbox's clock. */
export const subscriptionPages: Scenes = {
  subscriptions: {
    scenes: {
      empty: ({ page }) => see(page, "/subscriptions"),
      full: async ({ page, seller }) => {
        await everyStatus(seller);
        await see(page, "/subscriptions");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/subscriptions"),
      error: async ({ page, seller }) => {
        await enroll(seller, await planToken(seller));
        await spoil(seller, brokenSubscriptions);
        await seeBroken(page, "/subscriptions");
      },
    },
  },
  "subscriptions-overdue": {
    scenes: {
      empty: ({ page }) => see(page, "/subscriptions/overdue"),
      full: async ({ page, seller }) => {
        await everyStatus(seller);
        await see(page, "/subscriptions/overdue");
      },
      loading: async ({ page, seller }) => {
        await enroll(seller, await planToken(seller));
        await see(page, "/subscriptions");
        const link = await pointAt(page, "/subscriptions/overdue");
        await hold(page, "**/subscriptions/overdue**");
        await link.click();
        await page.locator(".skeleton").first().waitFor();
      },
      error: async ({ page, seller }) => {
        await everyStatus(seller);
        await spoil(seller, brokenSubscriptions);
        await seeBroken(page, "/subscriptions/overdue");
      },
    },
  },
  subscribers: {
    scenes: {
      empty: ({ page }) => see(page, "/subscribers"),
      full: async ({ page, seller }) => {
        const { plan } = await everyStatus(seller);
        for (let count = 0; count < 6; count += 1) await enroll(seller, plan);
        await see(page, "/subscribers");
      },
      loading: ({ page }) => heldOnTheWay(page, "/home", "/subscribers"),
      error: async ({ page, seller }) => {
        await enroll(seller, await planToken(seller));
        await spoil(seller, "update subscribers set created_at = 'infinity' where account_id = $1::uuid");
        await seeBroken(page, "/subscribers");
      },
    },
  },
  clock: {
    scenes: {
      empty: ({ page }) => see(page, "/clock"),
      full: async ({ page, seller }) => {
        await enroll(seller, await planToken(seller));
        await see(page, "/clock");
        await page.getByRole("button", { name: "Avançar o relógio" }).click();
        await page.getByText("O relógio chegou a").waitFor({ timeout: 30_000 });
        await expect(page.getByText("30 dias à frente")).toBeVisible();
      },
      loading: async ({ page }) => {
        await see(page, "/clock");
        await hold(page, "**/sandbox/clock/advance");
        await page.getByRole("button", { name: "Avançar o relógio" }).click();
        await page.getByText("Avançando…").waitFor();
      },
      error: async ({ page }) => {
        await see(page, "/clock");
        await page.getByLabel("Dias").fill("0");
        await page.getByRole("button", { name: "Avançar o relógio" }).click();
        await page.getByText("Informe um número inteiro de dias").waitFor();
      },
    },
  },
};
