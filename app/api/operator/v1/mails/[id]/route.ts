import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readMail } from "@/lib/mail/read";
import { MailDetail } from "@/lib/mail/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "One mail, with what it says where no SMTP server is set",
      tag: "Operator",
      auth: "staff",
      ids: { id: "mail_not_found" },
      response: z.object({ data: MailDetail }),
    },
    async ({ params, caller }) => ({ data: await readMail(params.id ?? "", caller) }),
  ),
});
