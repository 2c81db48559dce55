import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { isUnavailable, readFor } from "@/lib/db";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";

const host = openHost(routes);
const LIST = "/api/partner/v2/transactions";
const list = ({ token }: Made) => host.ask("GET", LIST, { token });

const failure = (read: Promise<unknown>) => read.then(() => "none").catch((error: unknown) => error);

test("a statement that a person waits for ends after three seconds, while other reads of its account answer", async () => {
  const seller = await makeAccount();
  let isOver = false;
  const slow = failure(readFor(seller.accountId, (tx) => tx.$queryRaw`select 1 from pg_sleep(20)`)).finally(() => {
    isOver = true;
  });
  expect((await list(seller)).status).toBe(200);
  expect(isOver).toBe(false);
  expect(isUnavailable(await slow)).toBe(true);
});

test("an account has only so many reads at once and in line; one more is 503, and other accounts do not wait", async () => {
  const [busy, other] = [await makeAccount(), await makeAccount()];
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let [inside, most] = [0, 0];
  const held = Array.from({ length: 15 }, () =>
    readFor(busy.accountId, async (tx) => {
      most = Math.max(most, ++inside);
      await opened;
      inside--;
      return tx.transaction.count();
    }),
  );
  const refused = await list(busy);
  expect(refused).toMatchObject({ status: 503, json: { message: expect.stringContaining("indisponível") } });
  expect(refused.headers.get("retry-after")).toBe("1");
  expect((await list(other)).status).toBe(200);
  open();
  expect(await Promise.all(held)).toEqual(Array(15).fill(0));
  expect(most).toBe(2);
  expect((await list(busy)).status).toBe(200);
});
