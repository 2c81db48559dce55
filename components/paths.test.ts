import { expectTypeOf, test } from "vitest";
import type { AccountPath, ApiPath } from "@/components/paths";

// The type check, which `npm test` runs first, proves these.

test("a route of the API compiles with any parameters, and a wrong path does not", () => {
  expectTypeOf<"/api/partner/v1/webhooks">().toExtend<ApiPath>();
  expectTypeOf<`/api/partner/v1/webhooks/${number}/deliveries`>().toExtend<ApiPath>();
  expectTypeOf<"/api/partner/v1/webhook">().not.toExtend<ApiPath>();
  expectTypeOf<"/partner/v1/webhooks">().not.toExtend<ApiPath>();
  expectTypeOf<"/simulator/pix/v1/payments">().not.toExtend<ApiPath>();
});

test("a page of the dashboard compiles with a query, and a wrong path does not", () => {
  expectTypeOf<"/transactions?status=pending">().toExtend<AccountPath>();
  expectTypeOf<`/webhooks/${number}`>().toExtend<AccountPath>();
  expectTypeOf<"/webhook">().not.toExtend<AccountPath>();
  expectTypeOf<"/home/today">().not.toExtend<AccountPath>();
  expectTypeOf<"/operator/accounts">().not.toExtend<AccountPath>();
});
