import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { retryMail } from "@/lib/mail/retry";
import { MailDetail } from "@/lib/mail/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Try a mail again at once",
      tag: "Operator",
      auth: "staff",
      staffScope: "mails:write",
      ids: { id: "mail_not_found" },
      response: z.object({ data: MailDetail }),
      errors: ["invalid_transition"],
    },
    ({ params }) => retryMail({ id: params.id ?? "" }),
  ),
});
