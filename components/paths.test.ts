import { expectTypeOf, test } from "vitest";
import type { AccountPath, ApiPath } from "@/components/paths";

// These hold or fail where types are checked, which `npm test` does first.

test("a route of the API compiles with anything in place of its parameters, a wrong path does not", () => {
  expectTypeOf<"/api/partner/v1/webhooks">().toExtend<ApiPath>();
  expectTypeOf<`/api/partner/v1/webhooks/${number}/deliveries`>().toExtend<ApiPath>();
  expectTypeOf<"/api/partner/v1/webhook">().not.toExtend<ApiPath>();
  expectTypeOf<"/partner/v1/webhooks">().not.toExtend<ApiPath>();
  expectTypeOf<"/simulator/pix/v1/payments">().not.toExtend<ApiPath>();
});

test("a page of the dashboard compiles with a query, a wrong path does not", () => {
  expectTypeOf<"/transactions?status=pending">().toExtend<AccountPath>();
  expectTypeOf<`/webhooks/${number}`>().toExtend<AccountPath>();
  expectTypeOf<"/webhook">().not.toExtend<AccountPath>();
  expectTypeOf<"/home/today">().not.toExtend<AccountPath>();
  expectTypeOf<"/operator/accounts">().not.toExtend<AccountPath>();
});
