import { aPng, pictures } from "@/lib/testing/pictures";
import { expect, type Page, type Seller, test } from "./fixtures";

async function openProduct(page: Page, seller: Seller) {
  const body = { name: "Clube do livro" };
  const { data } = await seller.api<{ data: { reference_id: string } }>("POST", "/api/partner/v1/products", body);
  await page.goto(`/products/${data.reference_id}`);
  const shown = page.getByRole("img", { name: "Imagem de Clube do livro" });
  const widths = () => shown.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
  /** Chooses a file as a person at the keyboard does. */
  const send = async (button: string, buffer: Buffer, name = "capa.png") => {
    const choosing = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: button }).press("Enter");
    await (await choosing).setFiles({ name, mimeType: "image/png", buffer });
  };
  return { shown, widths, send };
}

test("a product's image is sent by keys, seen here and in the list, replaced, and removed", async ({
  page,
  seller,
}) => {
  const { shown, widths, send } = await openProduct(page, seller);
  await expect(shown).toHaveCount(0);
  await send("Enviar imagem", aPng(300, 400));
  await expect.poll(widths).toEqual([300]);
  const { width, height } = (await shown.boundingBox()) ?? {};
  expect(width, "it is shown in a square").toBe(height);
  const first = await shown.getAttribute("src");
  expect(first).toMatch(/^\/images\/[\w-]{43}$/);

  await send("Trocar a imagem", pictures["webp, lossy"]);
  await expect.poll(widths).toEqual([3]);
  expect((await page.request.get(first ?? "")).status()).toBe(404);

  await page.getByRole("navigation", { name: "Caminho" }).getByRole("link").click();
  const thumb = page.getByRole("listitem").filter({ hasText: "Clube do livro" }).locator("img");
  await expect.poll(() => thumb.evaluate((one) => (one as HTMLImageElement).naturalWidth)).toBe(3);
  await page.getByRole("link", { name: "Clube do livro" }).click();

  await page.getByRole("button", { name: "Remover a imagem" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remover" }).click();
  await expect(page.getByRole("button", { name: "Enviar imagem" })).toBeVisible();
  await expect(page.getByRole("main").locator("img")).toHaveCount(0);
});

test.describe("a file that is no image for a product", () => {
  test.use({ allowErrors: /422/ });

  test("is refused in place with what to do, and the image that was there stays", async ({ page, seller }) => {
    const { widths, send } = await openProduct(page, seller);
    await send("Enviar imagem", aPng(400, 300));
    await expect.poll(widths).toEqual([400]);
    await send("Trocar a imagem", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
    await expect(page.getByText("Envie uma imagem PNG, JPEG ou WebP de até 4.096 × 4.096 pixels.")).toBeVisible();
    await send("Trocar a imagem", Buffer.concat([pictures.png, Buffer.alloc(6_000_000)]));
    await expect(page.getByText("A imagem passa de 1 MB.")).toBeVisible();
    expect(await widths()).toEqual([400]);
    await send("Trocar a imagem", pictures["jpeg, baseline"]);
    await expect.poll(widths).toEqual([3]);
    await expect(page.getByText("PNG, JPEG ou WebP de até 1 MB.")).toBeVisible();
  });
});
