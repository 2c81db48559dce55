import { SessionBody, SessionState } from "@/lib/accounts/schema";
import { endpoint, methods } from "@/lib/http/endpoint";
import { switchAccount } from "@/lib/users/switch-account";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Look at the live account or at its sandbox",
      tag: "Account",
      auth: "session",
      evenIfFull: true,
      body: SessionBody,
      response: SessionState,
    },
    ({ account, body, caller }) => switchAccount(caller.sessionId ?? "", account.id, body.mode),
  ),
});
