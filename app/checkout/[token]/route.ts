import { answerFailure, visitOf } from "@/app/checkout/[token]/answer";
import { receiveForm } from "@/app/checkout/[token]/receive";
import { showCheckout } from "@/app/checkout/[token]/show";
import { spendSlotOfAddress } from "@/lib/http/client-address";
import { methods } from "@/lib/http/methods";

/** The page of a payment link or a plan, and of one payment (`?payment=`). It takes its own forms, with and without script. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: async (request, { params }, requestId) => {
    const visit = visitOf(request, (await params)?.token ?? "", requestId);
    const show = async () => {
      await spendSlotOfAddress("checkout-address", request);
      return showCheckout(visit);
    };
    return show().catch((error) => answerFailure(visit, error));
  },
  POST: async (request, { params }, requestId) => {
    const visit = visitOf(request, (await params)?.token ?? "", requestId);
    const receive = async () => {
      await spendSlotOfAddress("checkout-pay-address", request);
      return receiveForm(visit);
    };
    return receive().catch((error) => answerFailure(visit, error));
  },
});
