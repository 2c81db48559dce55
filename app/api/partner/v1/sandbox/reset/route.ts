import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { resetSandbox } from "@/lib/sandbox/reset";
import { RESET_TEXT, Reset } from "@/lib/sandbox/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: begin anew, with nothing but the credentials and settings",
      description: RESET_TEXT,
      tag: "Sandbox",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      response: Reset,
      errors: ["clock_advance_running"],
    },
    ({ account, intent }) => resetSandbox(account, intent),
  ),
});
