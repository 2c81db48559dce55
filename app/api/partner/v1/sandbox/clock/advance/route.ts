import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { advanceClock } from "@/lib/sandbox/advance";
import { AdvanceBody, Advanced } from "@/lib/sandbox/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: move the account's clock ahead, and do all that falls due on the way",
      tag: "Sandbox",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      acceptsKey: false,
      body: AdvanceBody,
      response: Advanced,
      goesOn: ({ done }: Advanced) => !done,
      errors: ["clock_advance_running"],
    },
    ({ account, body }) => advanceClock(account, body),
  ),
});
