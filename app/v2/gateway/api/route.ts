import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { legacyDepositContract } from "@/lib/legacy/contract";
import { requestLegacyDeposit } from "@/lib/legacy/deposit";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(legacyDepositContract, ({ account, body, intent }) => requestLegacyDeposit(account, body, intent)),
});
