import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readEffects } from "@/lib/privacy/export";
import { Effect, PersonBody } from "@/lib/privacy/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "What the account keeps of a customer, and what an erasure would do",
      tag: "Dashboard",
      auth: "session",
      scopes: ["account:write"],
      stepUp: true,
      evenIfClosed: true,
      acceptsKey: false,
      evenIfFull: true,
      leavesNoEvent: "it only reads; its input is a body so that no address names a person",
      body: PersonBody,
      response: z.object({ data: z.array(Effect) }),
    },
    ({ account, body }) => readEffects(account.id, body.person),
  ),
});
