import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listErasures, requestErasure } from "@/lib/privacy/erase";
import { ErasureAnswer, Erasures, PersonBody } from "@/lib/privacy/schema";

const contract = { tag: "Dashboard", auth: "session", scopes: ["account:write"] } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint({ ...contract, summary: "The latest erasures of customers' data", response: Erasures }, ({ account }) =>
    listErasures(account.id),
  ),
  POST: endpoint(
    {
      ...contract,
      summary: "Erase what may be erased of a customer's data",
      stepUp: true,
      evenIfClosed: true,
      acceptsKey: false,
      evenIfFull: true,
      status: 202,
      body: PersonBody,
      response: ErasureAnswer,
    },
    ({ account, caller, body }) => requestErasure(account, { ...body, askedBy: caller.userId }),
  ),
});
