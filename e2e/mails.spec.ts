import { asSystem } from "@/lib/db";
import type { Template } from "@/lib/mail/templates";
import { type Mail, writeMail } from "@/lib/mail/write";
import { aMail, contents } from "@/lib/testing/mails";
import { expect, type Page, staffCookie, test } from "./fixtures";
import { violationsIn } from "./pictures";

/** A name and a link without a place to break them, as nobody should write them. */
const long = "q".repeat(200);

/** A mail's HTML, as the server renders it for the staff. */
async function htmlOf(page: Page, overrides: Partial<Mail>): Promise<string> {
  const mail = aMail(overrides);
  const { id } = await asSystem(async (tx) => {
    await writeMail(tx, mail);
    return tx.mail.findUniqueOrThrow({ where: { intent: mail.intent } });
  });
  const answer = await page.request.get(`${process.env.APP_URL}/api/operator/v1/mails/${id}`);
  return (await answer.json()).data.content.html;
}

for (const template of Object.keys(contents) as Template[]) {
  test(`the mail ${template} is readable on a phone and a desk, in light and dark, in both languages`, async ({
    page,
  }) => {
    await page.context().addCookies([await staffCookie()]);
    for (const [locale, mode] of [
      ["pt-BR", "sandbox"],
      ["en", "live"],
    ] as const) {
      const content = { ...contents[template] };
      if ("url" in content) content.url += long;
      if ("seller" in content) content.seller += ` ${long}`;
      await page.setContent(await htmlOf(page, { content, mode, to: { email: "ana@example.com", locale } }));
      for (const [width, colorScheme, rules] of [
        [360, "light", "all"],
        [640, "dark", "colours"],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        expect(await violationsIn(page, rules), `${locale} ${width} ${colorScheme}`).toEqual([]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(wide, "nothing sticks out").toBeLessThanOrEqual(width);
      }
    }
  });
}
