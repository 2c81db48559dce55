import { answerFailure, seePage, visitOf } from "@/app/checkout/[token]/answer";
import { leadBack } from "@/lib/checkout/lead-back";
import { spendSlotOfAddress } from "@/lib/http/client-address";
import { methods } from "@/lib/http/methods";

/** Leads back to the shop, after a payment (`?payment=`) or without one; where there is no way back, to our own page. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async (request, { params }, requestId) => {
    const visit = visitOf(request, (await params)?.token ?? "", requestId);
    const { token, payment, pathOf } = visit;
    const lead = async () => {
      await spendSlotOfAddress("checkout-address", request);
      const address = await leadBack(token, payment);
      return seePage(address ?? pathOf(payment ? { payment } : {}), { "referrer-policy": "no-referrer" });
    };
    return lead().catch((error) => answerFailure(visit, error));
  },
});
