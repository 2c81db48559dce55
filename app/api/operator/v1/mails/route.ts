import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CursorMeta } from "@/lib/lists/pagination";
import { listMails } from "@/lib/mail/read";
import { MailRecord, MailRoute, MailsQuery } from "@/lib/mail/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List mails, newest first, with counts by status",
      tag: "Operator",
      auth: "staff",
      query: MailsQuery,
      response: z.object({
        data: z.array(MailRecord),
        meta: CursorMeta.extend({ counts: z.record(z.string(), z.int()), route: MailRoute }),
      }),
    },
    ({ query }) => listMails(query),
  ),
});
