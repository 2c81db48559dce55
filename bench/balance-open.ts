import { readBalance } from "@/lib/accounts/read";
import { Balance } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { createHost } from "@/lib/http/host";
import { methods } from "@/lib/http/methods";

/** GET /balance as the server has it, behind the same host, for whoever asks: what authentication costs is missing. */
const accounts = process.argv.slice(2);
let next = 0;

const route = methods({
  GET: endpoint({ summary: "The account's balance", tag: "Account", auth: "none", response: Balance }, () =>
    readBalance(accounts[next++ % accounts.length] ?? ""),
  ),
});

const host = createHost([{ path: "/api/partner/v1/balance", module: route }], (_, response) => response.end());
host.listen(Number(process.env.PORT), () => process.send?.({ kind: "ready" }));
process.once("SIGTERM", () => process.exit());
