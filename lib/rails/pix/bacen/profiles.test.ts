import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { actAs } from "@/lib/actor";
import { newAlphanumeric } from "@/lib/ids";
import { connectProvider } from "@/lib/providers/connect";
import { railNamed } from "@/lib/rails/pix/rails";
import type { serveApiPix } from "@/lib/testing/api-pix";
import { serveEfi } from "@/lib/testing/efi";
import { openHost } from "@/lib/testing/http";
import { serveInter } from "@/lib/testing/inter";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { STAFF } from "@/lib/testing/refunds";

openHost(routes.filter(({ path }) => path.startsWith("/callbacks/")));
/** A provider is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(async () => {
  await drop();
});

type Psp = Awaited<ReturnType<typeof serveApiPix>>;
const served: Psp[] = [];
afterEach(async () => {
  for (const psp of served.splice(0)) await psp.close();
});

/** Connects a PSP, as the staff does: with a token, a charge that is removed again, and the address of callbacks. */
async function connected<T extends Psp>(name: string, psp: T) {
  served.push(psp);
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name, title: name, ...settings }));
  const rail = railNamed(name);
  if (!rail) throw new Error("it was not connected");
  return { psp, rail };
}

/** The callbacks that are read in a body. */
const readBy = (rail: Awaited<ReturnType<typeof connected>>["rail"], psp: Psp, body: unknown) => {
  const secret = psp.webhookUrl.split("/").at(-1) ?? "";
  const sent = { headers: new Headers(), from: "203.0.113.7", isCertified: false };
  return rail.verifyCallback({ ...sent, rawBody: JSON.stringify(body), secret }, new Date());
};

/** Cents at a PSP, with what it adds to a payment of the standard. */
function paid(psp: Psp, added: object) {
  const pix = psp.pay({ amount: 1_000 });
  Object.assign(pix, added);
  return pix;
}

describe("Efí", () => {
  test("gives a token for a body in JSON, calls back without its server's certificate being asked for, and sends money", async () => {
    const { psp, rail } = await connected("efi", await serveEfi());
    const names = ({ method, path }: (typeof psp.asked)[number]) => method === "PUT" && path.startsWith("/webhook");
    const skips = psp.asked.filter(({ headers }) => headers["x-skip-mtls-checking"] === "true");
    expect(skips).toEqual(psp.asked.filter(names));
    expect(skips).not.toEqual([]);
    expect(rail.payouts).toBeDefined();
  });

  test("says with 400 and an error of its own form that it does not know a payment", async () => {
    const { rail } = await connected("efi-unknown", await serveEfi());
    const endToEndId = `E12345678202611270000${newAlphanumeric(11)}`;
    expect(await rail.received(endToEndId)).toBeNull();
    expect(await rail.findSentBack({ endToEndId, id: newAlphanumeric(32) })).toBeNull();
  });

  test.each<[object, string | null]>([
    [{ cnpj: "09089356000118" }, "09089356000118"],
    [{ cpf: "***.456.789-**" }, null],
  ])("names the payer among what it adds, here with %j", async (document, told) => {
    const { psp, rail } = await connected(`efi-${newAlphanumeric(5).toLowerCase()}`, await serveEfi());
    const pix = paid(psp, { gnExtras: { pagador: { nome: "Ana Souza", ...document, codigoBanco: "00416968" } } });
    const payer = { name: "Ana Souza", document: told, ispb: "12345678" };
    expect(await rail.received(pix.endToEndId)).toMatchObject({ payer });
  });

  test("reports payments and payouts in one list", async () => {
    const { psp, rail } = await connected("efi-callbacks", await serveEfi());
    const id = "0198b2f4-7c1d-7a10-8e36-2b7f41d0c9a8";
    const sent = {
      tipo: "SOLICITACAO",
      status: "NAO_REALIZADO",
      horario: null,
      gnExtras: { idEnvio: id.replaceAll("-", "") },
    };
    const pix = psp.pay({ amount: 100 });
    expect(readBy(rail, psp, { pix: [pix, sent] })).toMatchObject([
      { kind: "payment", id: pix.endToEndId },
      { kind: "payout", id },
    ]);
  });
});

describe("Inter", () => {
  test("gives a token for what a form says, and is told the account in every request", async () => {
    const { psp, rail } = await connected("inter", await serveInter());
    expect(psp.asked.length).toBeGreaterThan(2);
    for (const { headers } of psp.asked) expect(headers).toMatchObject({ "x-conta-corrente": "12345678" });
    expect(rail.payouts).toBeUndefined();
  });

  test("has a phone without its plus in the path of its webhook", async () => {
    const { psp } = await connected("inter-phone", await serveInter({ pix_key: "+5511999990000" }));
    expect(psp.asked.map(({ path }) => path)).toContain("/webhook/5511999990000");
    expect(psp.webhookUrl).not.toBe("");
  });

  test("names the payer in a payment", async () => {
    const { psp, rail } = await connected("inter-payer", await serveInter());
    const pix = paid(psp, { pagador: { nome: "Ana Souza", cpf: "52998224725" } });
    const found = [];
    for await (const one of rail.receivedWithin(new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)))
      found.push(one);
    expect(found).toMatchObject([
      { endToEndId: pix.endToEndId, payer: { name: "Ana Souza", document: "52998224725" } },
    ]);
  });

  test("calls back with a list, or with one payment alone, at the address itself or below it", async () => {
    const { psp, rail } = await connected("inter-callbacks", await serveInter());
    const [one, other] = [psp.pay({ amount: 100 }), psp.pay({ amount: 200 })];
    const read = { kind: "payment", id: one.endToEndId };
    expect(readBy(rail, psp, [one, other])).toMatchObject([read, { kind: "payment", id: other.endToEndId }]);
    expect(readBy(rail, psp, one)).toMatchObject([read]);
    expect(await Promise.all([psp.tell([one, other]), psp.tell(one), psp.tell([one], "")])).toEqual([200, 200, 200]);
  });
});
