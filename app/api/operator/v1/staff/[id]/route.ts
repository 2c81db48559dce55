import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { changeStaffRoles } from "@/lib/staff/change-roles";
import { removeStaff } from "@/lib/staff/remove";
import { StaffRolesBody } from "@/lib/staff/schema";

const common = {
  tag: "Operator",
  auth: "staff",
  staffScope: "staff:write",
  stepUp: true,
  ids: { id: "person_not_found" },
  response: Message,
  errors: ["person_not_found", "own_access"],
} as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    { summary: "Give a person of the staff other roles", body: StaffRolesBody, ...common },
    ({ caller, params, body }) => changeStaffRoles({ ...body, userId: caller.userId, id: params.id ?? "" }),
  ),
  DELETE: endpoint(
    { summary: "Remove a person from the staff, whose sessions end at once", ...common },
    ({ caller, params }) => removeStaff({ userId: caller.userId, id: params.id ?? "" }),
  ),
});
