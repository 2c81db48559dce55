import { readNotes } from "@/lib/account-notes/read";
import { NoteBody, Notes } from "@/lib/account-notes/schema";
import { writeNote } from "@/lib/account-notes/write";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

const common = { tag: "Operator", auth: "staff", ids: { id: "account_not_found" } } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "What the staff wrote down about an account, newest first", response: Notes, ...common },
    ({ params }) => readNotes(params.id ?? ""),
  ),
  POST: endpoint(
    {
      summary: "Write something down about an account; every role of the staff may",
      staffScope: "notes:write",
      body: NoteBody,
      status: 201,
      response: Message,
      ...common,
    },
    ({ params, caller, body }) => writeNote({ ...body, accountId: params.id ?? "", userId: caller.userId }),
  ),
});
