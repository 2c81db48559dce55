import type { AccountContext } from "@/lib/accounts/context";
import type { Tx } from "@/lib/db";
import { type Faults, invalid } from "@/lib/errors";
import { findDomains } from "@/lib/public-keys/domains";
import { leadsHome } from "@/lib/way-back/url";

type Given = { return_url?: string | null | undefined; cancel_url?: string | null | undefined };

/** Throws 422 at `return_url` and `cancel_url` where they lead to no domain that the account has registered. */
export async function assertLeadsHome(tx: Tx, { id, mode }: AccountContext, { return_url, cancel_url }: Given) {
  const given = Object.entries({ return_url, cancel_url }).filter(([, address]) => address);
  if (given.length === 0) return;
  const origins = (await findDomains(tx, id)).map(({ origin }) => origin);
  const strange = given.filter(([, address]) => !leadsHome(address ?? "", { mode, origins }));
  if (strange.length === 0) return;
  const text = "Cadastre este domínio em Chave pública, ou use um dos cadastrados.";
  const faults: Faults = Object.fromEntries(strange.map(([name]) => [name, [text]]));
  throw invalid(faults);
}
