import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { flushStored, readStorage } from "@/lib/accounts/storage";
import { createCredential } from "@/lib/credentials/create";
import { mintToken } from "@/lib/credentials/mint-token";
import { forAccount } from "@/lib/db";
import { newId, newSecret } from "@/lib/ids";
import { createProduct } from "@/lib/products/create";
import { readImage } from "@/lib/products/image";
import { ProductAnswer, ProductInput } from "@/lib/products/schema";
import { type Answered, openHost } from "@/lib/testing/http";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { aPng, pictures } from "@/lib/testing/pictures";
import { tracesOf } from "@/lib/testing/traces";

const host = openHost(routes);
const MB = 1_000_000;
const PRODUCTS = "/api/partner/v1/products";
const MESSAGE = { message: expect.stringMatching(/\S/) };

/** A seller with a product. */
async function withProduct(overrides: Parameters<typeof makeAccount>[0] = {}) {
  const seller = await makeAccount(overrides);
  const { data } = await createProduct(seller.account, ProductInput.parse({ name: "Clube" }), call());
  const path = `${PRODUCTS}/${data.reference_id}`;
  const headers = { "content-type": "application/octet-stream" };
  const upload = (body: unknown, more: object = {}) =>
    host.ask("POST", `${path}/image`, { token: seller.token, body, headers, ...more });
  return { ...seller, path, upload };
}

const urlOf = ({ json }: Answered) => ProductAnswer.parse(json).data.image_url ?? "";
const imageAt = async (url: string) => {
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
};
const imagesOf = ({ accountId }: Made) =>
  forAccount(accountId, (tx) => tx.productImage.findMany({ select: { id: true } }));

test.each(Object.entries(pictures))(
  "%s: is the product's image, byte for byte, under the type of its first bytes whatever the sender says",
  async (name, picture) => {
    const { path, token, upload } = await withProduct();
    const type = `image/${name.split(",", 1)[0]}`;
    for (const said of [type, "image/svg+xml", "text/html", "application/json"]) {
      const made = await upload(picture, { headers: { "content-type": said } });
      expect(made, said).toMatchObject({ status: 201, json: { data: { image_url: expect.any(String) } } });
      const { status, headers, bytes } = await imageAt(urlOf(made));
      expect([status, headers.get("content-type"), bytes.equals(picture)], said).toEqual([200, type, true]);
      expect(await host.ask("GET", path, { token })).toMatchObject({ json: made.json });
    }
  },
);

test("an image is in the product's lists and its plans, at one address of our origin", async () => {
  const { path, token, upload } = await withProduct();
  const plan = { name: "Mensal", amount: "49.90", billing_method: "qr_code" };
  const bare = await host.ask("POST", `${path}/subscription-plans`, { token, body: plan });
  expect(bare).toMatchObject({ status: 201, json: { data: { product: { image_url: null } } } });
  const image_url = urlOf(await upload(pictures.png));
  expect(image_url).toMatch(new RegExp(`^${host.url}/images/[\\w-]{43}$`));
  expect((await host.ask("GET", PRODUCTS, { token })).json).toMatchObject({ data: [{ image_url }] });
  for (const list of [`${path}/subscription-plans`, "/api/partner/v1/subscription-plans"]) {
    expect((await host.ask("GET", list, { token })).json, list).toMatchObject({ data: [{ product: { image_url } }] });
  }
});

test("a replaced image has another address, and the old one answers 404; so does that of a removed image", async () => {
  const seller = await withProduct();
  const { path, token, upload } = seller;
  const [first, second] = [urlOf(await upload(pictures.png)), urlOf(await upload(pictures.png))];
  expect(second).not.toBe(first);
  expect([(await imageAt(first)).status, (await imageAt(second)).status]).toEqual([404, 200]);
  expect(await imagesOf(seller)).toHaveLength(1);

  const remove = () => host.ask("DELETE", `${path}/image`, { token });
  expect(await remove()).toMatchObject({ status: 200, json: MESSAGE });
  expect((await imageAt(second)).status).toBe(404);
  expect(await imagesOf(seller)).toEqual([]);
  expect(await host.ask("GET", path, { token })).toMatchObject({ json: { data: { image_url: null } } });
  expect(await remove()).toMatchObject({ status: 200 });
});

describe("a picture", () => {
  const large = Buffer.concat([pictures.png, randomBytes(600_000)]);
  const read = (url: string, init: RequestInit = {}) => fetch(url, init);

  test("that a cache has already is 304 by its ETag, without its bytes, and 404 once it is replaced", async () => {
    const { upload } = await withProduct();
    const url = urlOf(await upload(large));
    const first = await read(url);
    expect((await first.arrayBuffer()).byteLength).toBe(large.length);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const again = await read(url, { headers: { "if-none-match": known } });
      expect([again.status, await again.text(), again.headers.get("etag")], known).toEqual([304, "", etag]);
      expect(again.headers.get("cache-control")).toContain("immutable");
    }
    const other = await read(url, { headers: { "if-none-match": '"x"' } });
    expect([other.status, (await other.arrayBuffer()).byteLength]).toEqual([200, large.length]);
    await upload(pictures.png);
    expect((await read(url, { headers: { "if-none-match": etag } })).status).toBe(404);
  });

  test("has the same headers by HEAD, with its length", async () => {
    const { upload } = await withProduct();
    for (const picture of [pictures.png, large]) {
      const url = urlOf(await upload(picture));
      const [head, whole] = [await read(url, { method: "HEAD" }), await read(url)];
      expect(head.headers.get("content-length")).toBe(String(picture.length));
      expect(Buffer.from(await whole.arrayBuffer()).equals(picture)).toBe(true);
      const named = ({ headers }: Response) =>
        [...headers.keys()].filter((name) => !/^(connection|keep-alive)$/.test(name));
      expect(named(head)).toEqual(named(whole));
    }
  });

  test("is read in pieces, each when the one before was taken", async () => {
    const { upload } = await withProduct();
    const id =
      urlOf(await upload(large))
        .split("/")
        .at(-1) ?? "";
    const contentOf = async () =>
      (await readImage(id, { isContentWanted: true })).content as ReadableStream<Uint8Array>;
    const whole = Buffer.from(await new Response(await contentOf()).arrayBuffer());
    expect(whole.equals(large)).toBe(true);
    const reader = (await contentOf()).getReader();
    expect((await reader.read()).value?.length).toBe(131_072);
    await upload(pictures.png);
    await expect(reader.read()).rejects.toThrow("replaced");
  });
});

test("of uploads at once one stays, and it is the one that the product names", async () => {
  const seller = await withProduct();
  const answers = await Promise.all(
    [...Object.values(pictures), ...Object.values(pictures)].map((one) => seller.upload(one)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  const named = urlOf(await host.ask("GET", seller.path, { token: seller.token }));
  expect((await imagesOf(seller)).map(({ id }) => `${host.url}/images/${id}`)).toEqual([named]);
  const found = await Promise.all(answers.map(urlOf).map(imageAt));
  expect(found.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a repeat under its Idempotency-Key gets the first answer, and another picture under the key is refused", async () => {
  const seller = await withProduct();
  const key = newId();
  const first = await seller.upload(pictures.png, { key });
  const again = await seller.upload(pictures.png, { key });
  expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  const other = await seller.upload(aPng(4, 4), { key });
  expect(other).toMatchObject({ status: 422, json: { error: "idempotency_key_reused" } });
  expect((await imageAt(urlOf(first))).status).toBe(200);
});

describe("is refused, and stores nothing:", () => {
  const wide = (width: number, height: number) => {
    const bytes = Buffer.from(pictures.png);
    bytes.writeUInt32BE(width, 16);
    bytes.writeUInt32BE(height, 20);
    return bytes;
  };

  test.each<[string, unknown]>([
    ["nothing", ""],
    ["a text", "GIF89a is not accepted"],
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ["an SVG with a PNG's signature further on", Buffer.concat([Buffer.from("<svg/>"), pictures.png])],
    ["a page with a PNG's name", "<!doctype html><title>PNG</title>"],
    ["a JSON", { image: "x" }],
    ["a PNG without its header", pictures.png.subarray(0, 8)],
    ["a PNG that ends within its header", pictures.png.subarray(0, 32)],
    ["a JPEG of three bytes", pictures["jpeg, baseline"].subarray(0, 3)],
    ["a JPEG that ends before its frame header", pictures["jpeg, baseline"].subarray(0, 148)],
    ["a WebP that ends within its header", pictures["webp, lossy"].subarray(0, 29)],
    ["a PNG of no width", wide(0, 5)],
    ["a PNG of no height", wide(5, 0)],
    ["a PNG that is too wide", wide(4_097, 5)],
    ["a PNG that is too high", wide(5, 4_294_967_295)],
  ])("%s, with 422 at image", async (_, body) => {
    const seller = await withProduct();
    const before = await tracesOf(seller.accountId);
    const answer = await seller.upload(body, { headers: { "content-type": "image/png" }, key: newId() });
    expect(answer).toMatchObject({ status: 422, json: { ...MESSAGE, errors: { image: [expect.any(String)] } } });
    expect(await tracesOf(seller.accountId)).toEqual(before);
  });

  test("more than 1 MB, with 413, with and without a declared length; just 1 MB is accepted", async () => {
    const seller = await withProduct();
    const before = await tracesOf(seller.accountId);
    const padded = (size: number) => Buffer.concat([pictures.png, Buffer.alloc(size - pictures.png.length)]);
    expect(await seller.upload(padded(MB + 1))).toMatchObject({ status: 413, json: MESSAGE });
    const sent = { authorization: `Bearer ${seller.token}`, "content-type": "image/png" };
    const streamed = (size: number) => {
      const init = { method: "POST", headers: sent, body: new Blob([padded(size)]).stream(), duplex: "half" };
      return fetch(`${host.url}${seller.path}/image`, init as RequestInit);
    };
    expect((await streamed(MB + 1)).status).toBe(413);
    expect(await tracesOf(seller.accountId)).toEqual(before);
    expect((await streamed(MB)).status).toBe(201);
    const full = await seller.upload(padded(MB));
    expect(full.status).toBe(201);
    expect((await imageAt(urlOf(full))).bytes.equals(padded(MB))).toBe(true);
  });

  test("an anonymous caller, one without the scope, and an account without the feature", async () => {
    const seller = await withProduct();
    const made = await createCredential(seller.account, { name: "Teste", scopes: ["plans:read"] } as never, call());
    const { access_token: reader } = await mintToken({ ...made.data, ip: "127.0.0.1" });
    const { token: other } = await makeAccount({ features: [] });
    for (const [method, body] of [
      ["POST", pictures.png],
      ["DELETE", undefined],
    ] as const) {
      const ask = (token?: string) => host.ask(method, `${seller.path}/image`, { body, ...(token && { token }) });
      expect((await ask()).status).toBe(401);
      expect(await ask(reader)).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
      expect(await ask(other)).toMatchObject({ status: 403, json: { error: "feature_disabled" } });
    }
    expect(await imagesOf(seller)).toEqual([]);
  });

  test("an archived product's, which keeps the image that it has", async () => {
    const seller = await withProduct();
    const { path, token, upload } = seller;
    const url = urlOf(await upload(pictures.png));
    await host.ask("DELETE", path, { token });
    const refused = { status: 409, json: { error: "invalid_transition" } };
    expect(await upload(aPng(4, 4))).toMatchObject(refused);
    expect(await host.ask("DELETE", `${path}/image`, { token })).toMatchObject(refused);
    expect((await imageAt(url)).status).toBe(200);
  });

  test("an account at its storage limit; the bytes of an image count", async () => {
    const seller = await withProduct();
    await forAccount(seller.accountId, (tx) =>
      tx.account.update({ where: { id: seller.accountId }, data: { storageLimitMb: 1 } }),
    );
    const large = Buffer.concat([pictures.png, Buffer.alloc(600_000)]);
    for (const _ of [1, 2]) expect((await seller.upload(large)).status).toBe(201);
    await flushStored();
    const { used } = await forAccount(seller.accountId, (tx) => readStorage(tx, seller.accountId));
    expect(used).toBeGreaterThan(1_200_000);
    expect(await seller.upload(pictures.png)).toMatchObject({ status: 422, json: { error: "storage_limit_reached" } });
  });
});

test("an unknown image is 404, whatever stands in its place, and no cache keeps that", async () => {
  for (const id of [newSecret(), newId(), "x", "%00", "%27%20or%201%3D1--", "..%2f..%2fapi", "a".repeat(150)]) {
    const answer = await host.ask("GET", `/images/${id}`);
    expect(answer, id).toMatchObject({ status: 404, json: MESSAGE });
    expect(answer.headers.get("cache-control"), id).toBe("no-store");
  }
});
