import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { env } from "@/lib/env";
import { cardOrder, type Page, type Seller } from "./fixtures";

const html = readFileSync(join(import.meta.dirname, "shop.html"), "utf8");

type ShopOptions = { isListed?: boolean; options?: object };
type Charge = { identifier: string; status: string };

/** A seller's shop on another site: a page with our card fields, and a back-end that charges. */
export async function openShop(seller: Seller, { isListed = true, options = { theme: "auto" } }: ShopOptions = {}) {
  const { data } = await seller.api<{ data: { key: string } }>("GET", "/api/partner/v1/public-key");
  const shop = { origin: "", key: data.key, charge: undefined as Charge | undefined, close: () => {} };
  const server = createServer(async (request, response) => {
    if (request.url === "/pay") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { token } = JSON.parse(Buffer.concat(chunks).toString());
      shop.charge = await seller.api<Charge>("POST", "/api/partner/v1/credit-card", cardOrder(token));
      return response.end(JSON.stringify({ text: "Pago. Obrigado!" }));
    }
    if (request.url !== "/") return response.writeHead(204).end();
    const page = html
      .replace("{{repasse}}", env.APP_URL)
      .replace("{{key}}", shop.key)
      .replace("{{options}}", JSON.stringify(options));
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  shop.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  shop.close = () => {
    server.close();
    server.closeAllConnections();
  };
  if (isListed) await list(seller, shop.origin);
  return shop;
}

export const list = (seller: Seller, origin: string) =>
  seller.api("POST", "/api/partner/v1/public-key/domains", { origin });

/** Our fields in the shop's page. */
export const fieldsIn = (page: Page) => page.frameLocator("#card iframe");

/** Types a card key by key. */
export async function typeCard(page: Page, number = "4111111111111111") {
  const fields = fieldsIn(page);
  await fields.getByLabel("Número do cartão").pressSequentially(number);
  await fields.getByLabel("Nome impresso no cartão").pressSequentially("ZELIA PRADO");
  await fields.getByLabel("Validade").pressSequentially("1235");
  await fields.getByLabel("Código").pressSequentially("737");
}
