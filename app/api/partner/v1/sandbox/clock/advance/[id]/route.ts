import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readAdvance } from "@/lib/sandbox/advance";
import { Advanced } from "@/lib/sandbox/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Sandbox: how far an advance of the clock is",
      tag: "Sandbox",
      scopes: ["transactions:read"],
      sandboxOnly: true,
      ids: { id: "clock_advance_not_found" },
      response: Advanced,
    },
    ({ account, params }) => readAdvance(account, params.id ?? ""),
  ),
});
