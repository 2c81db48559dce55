import type { AccountContext } from "@/lib/accounts/context";
import { requestDeposit } from "@/lib/deposits/request";
import { invalid } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import type { LegacyBody } from "@/lib/legacy/schema";
import { DAY_MS, endOfDay } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";
import { givenBy, trackedIn } from "@/lib/transactions/tracking";

/** Five years with their leap days. */
const MAX_AHEAD_MS = (5 * 365 + 2) * DAY_MS;

/**
 * Requests a deposit in the old API's words. The code is valid until the end of the day that `pix.expiresInDays` names
 * (Brasília). Throws what `requestDeposit` throws, and 422 for a day that is over or more than five years away.
 */
export async function requestLegacyDeposit(account: AccountContext, input: LegacyBody, { idem, requestId }: Intent) {
  const { customer, metadata, checkout, items, ip, traceable, split, amount, postbackUrl, pix } = input;
  const present = (deposit: Deposited) => ({
    status: "success" as const,
    message: deposit.message,
    client_id: "",
    urlWebHook: postbackUrl ?? "",
    paymentCode: deposit.pix_code,
    idTransaction: deposit.identifier,
    paymentCodeBase64: Buffer.from(deposit.pix_code).toString("base64"),
    status_transaction: "WAITING_FOR_APPROVAL" as const,
  });
  const { cpf, name, email, phone, externaRef, address } = customer;
  const deposit = await requestDeposit(
    account,
    {
      amount,
      split,
      plan_token: null,
      description: null,
      external_id: externaRef,
      webhook_url: postbackUrl,
      client: { name, email, cpf, phone },
      ...trackedBy(checkout),
      client_ip: ip,
      legacy: { checkout, metadata, items, ip, traceable, address },
      ...(pix && { expiresAt: endOf(pix.expiresInDays, businessNow(account)) }),
    },
    { requestId, idem: idem && { ...idem, render: (result) => idem.render(present(result as Deposited)) } },
  );
  return present(deposit);
}

/** The utm_* values, src and sck among what the shop sends; a number counts as its text. */
function trackedBy(checkout: LegacyBody["checkout"]) {
  const texts = Object.entries(checkout ?? {}).map(([name, value]) => [name, String(value ?? "")]);
  return givenBy(trackedIn(new URLSearchParams(texts)));
}

type Deposited = { message: string; pix_code: string; identifier: string };

/** The last instant of a day in Brasília. Throws 422 for one that is over, or more than five years away. */
function endOf(day: string, now: Date): Date {
  const end = new Date(endOfDay(day).getTime() - 1);
  if (end <= now) throw invalid({ "pix.expiresInDays": ["A data já passou."] });
  if (end.getTime() - now.getTime() > MAX_AHEAD_MS) {
    throw invalid({ "pix.expiresInDays": ["Use uma data de até cinco anos a partir de hoje."] });
  }
  return end;
}
