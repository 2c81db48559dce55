import { Awaiting } from "@/lib/approvals/schema";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { changeRole } from "@/lib/team/change-role";
import { removeMember } from "@/lib/team/remove";
import { RoleBody } from "@/lib/team/schema";

const common = {
  tag: "Team",
  auth: "session",
  scopes: ["team:write"],
  stepUp: true,
  ids: { id: "person_not_found" },
  response: Awaiting.partial({ approval: true }).or(Message),
  goesOn: (answer: object) => "approval" in answer,
  errors: ["person_not_found", "last_owner"],
} as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    { summary: "Give a person another role; of an owner, once another owner agrees", body: RoleBody, ...common },
    ({ account, caller, params, body }) => changeRole(account, { ...body, by: caller, id: params.id ?? "" }),
  ),
  DELETE: endpoint(
    { summary: "Remove a person from the team; an owner, once another owner agrees", ...common },
    ({ account, caller, params }) => removeMember(account, { by: caller, id: params.id ?? "" }),
  ),
});
