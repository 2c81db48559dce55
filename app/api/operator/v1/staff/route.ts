import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { inviteStaff } from "@/lib/staff/invite";
import { readStaffPeople } from "@/lib/staff/read";
import { Staff, StaffInviteBody } from "@/lib/staff/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "The people of the operator's staff", tag: "Operator", auth: "staff", response: Staff },
    ({ caller }) => readStaffPeople(caller),
  ),
  POST: endpoint(
    {
      summary: "Invite a person to the operator's staff by mail",
      tag: "Operator",
      auth: "staff",
      staffScope: "staff:write",
      stepUp: true,
      body: StaffInviteBody,
      status: 201,
      response: Message,
      errors: ["already_in_team", "email_of_seller"],
    },
    ({ caller, body, ip }) => inviteStaff({ ...body, ip, userId: caller.userId }),
  ),
});
