import { expect, test } from "vitest";
import { documentOf } from "@/lib/http/document";
import { methods } from "@/lib/http/methods";
import { openHost } from "@/lib/testing/http";

let made = 0;
const text = "Olá! ".repeat(10_000);
const make = () => {
  made += 1;
  return text;
};
const host = openHost([
  { path: "/api/document", module: methods({ GET: documentOf(make, { "content-type": "text/plain" }) }) },
]);

test("a document is made once, compressed for whom takes that, and 304 for whom has it", async () => {
  const ask = (headers: Record<string, string>, method = "GET") =>
    fetch(`${host.url}/api/document`, { method, headers });
  const plain = await ask({ "accept-encoding": "identity" });
  expect([await plain.text(), plain.headers.get("content-encoding")]).toEqual([text, null]);
  const [zipped, again] = [await ask({ "accept-encoding": "gzip" }), await ask({ "accept-encoding": "gzip" })];
  expect([await zipped.text(), zipped.headers.get("content-encoding")]).toEqual([text, "gzip"]);
  expect(Number(again.headers.get("content-length"))).toBeLessThan(1_000);
  expect(zipped.headers.get("vary")).toBe("Accept-Encoding");
  const etag = plain.headers.get("etag") ?? "";
  expect([etag, zipped.headers.get("etag")]).toEqual([expect.stringMatching(/^W\/"\S{43}"$/), etag]);
  for (const known of [etag, etag.slice(2), `"x",${etag}`, "*"]) {
    const unchanged = await ask({ "if-none-match": known });
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get("etag")]).toEqual([304, "", etag]);
  }
  expect((await ask({ "if-none-match": '"x"' })).status).toBe(200);
  expect(await ask({}, "HEAD").then(({ status }) => status)).toBe(200);
  expect(made).toBe(1);
});
