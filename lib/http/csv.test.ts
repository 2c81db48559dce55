import { expect, test, vi } from "vitest";
import { csvOf } from "@/lib/http/csv";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";

async function* lines(...texts: (string | Error)[]) {
  for (const text of texts) {
    if (text instanceof Error) throw text;
    yield text;
  }
}

const file = (accountId: string, ...texts: (string | Error)[]) =>
  csvOf("x.csv", lines(...texts), { accountId, requestId: newId() });

test("a third file of an account at once is refused, until one has ended or its caller has left", async () => {
  const accountId = newId();
  const [one, two] = [await file(accountId, "a\r\n", "b\r\n"), await file(accountId, "a\r\n")];
  await expect(file(accountId, "a\r\n")).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  await file(newId(), "a\r\n"); // another account's
  expect(await new Response(one.stream).text()).toBe("a\r\nb\r\n");
  await two.stream.cancel();
  await file(accountId, "a\r\n");
  await file(accountId, "a\r\n");
});

test("a failure before the first line is answered, and takes no place", async () => {
  const accountId = newId();
  for (let n = 0; n < 3; n += 1) await expect(file(accountId, new Error("away"))).rejects.toThrow("away");
  await file(accountId, "a\r\n");
});

test("a later failure ends the connection, and an operator finds it by its request", async () => {
  const logged = vi.spyOn(log, "error").mockReturnValue(undefined);
  const { stream } = await file(newId(), "a\r\n", new Error("away"));
  await expect(new Response(stream).text()).rejects.toThrow("away");
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ requestId: expect.any(String) }), expect.any(String));
  logged.mockRestore();
});
