import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { askReview } from "@/lib/onboarding/ask-review";
import { OnboardingAnswer } from "@/lib/onboarding/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask the operator to review the live account",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      response: OnboardingAnswer,
      errors: ["account_not_live", "invalid_transition", "review_incomplete"],
    },
    ({ account, intent }) => askReview(account, intent),
  ),
});
