import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readOffer } from "@/lib/subscription-splits/read";
import { ByLink, InviteAnswer } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "The invite of a mail's link, before its reader signs up or in; the secret is no part of an address",
      tag: "Splits",
      leavesNoEvent: "It changes nothing.",
      auth: "none",
      limit: "link-address",
      maxBytes: 2_000,
      body: ByLink,
      response: InviteAnswer,
      errors: ["split_not_found"],
    },
    ({ body }) => readOffer(body.secret),
  ),
});
