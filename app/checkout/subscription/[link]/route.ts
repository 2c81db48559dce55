import { answerFailure, visitOf } from "@/app/checkout/[token]/answer";
import { receiveOfPayer } from "@/app/checkout/subscription/[link]/receive";
import { showOfPayer } from "@/app/checkout/subscription/[link]/show";
import { spendSlotOfAddress } from "@/lib/http/client-address";
import { methods } from "@/lib/http/methods";

const visitTo = (request: Request, link: string, requestId: string) =>
  visitOf(request, link, requestId, `/checkout/subscription/${encodeURIComponent(link)}`);

/** The payer's own page of a subscription, by a signed link: see it, cancel it (`?do=cancel`), change its card (`?do=card`). */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async (request, { params }, requestId) => {
    const visit = visitTo(request, (await params)?.link ?? "", requestId);
    const show = async () => {
      await spendSlotOfAddress("checkout-address", request);
      return showOfPayer(visit);
    };
    return show().catch((error) => answerFailure(visit, error));
  },
  POST: async (request, { params }, requestId) => {
    const visit = visitTo(request, (await params)?.link ?? "", requestId);
    const receive = async () => {
      await spendSlotOfAddress("checkout-pay-address", request);
      return receiveOfPayer(visit);
    };
    return receive().catch((error) => answerFailure(visit, error));
  },
});
