import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { Staff, StaffInviteBodySent, StaffMember, StaffRolesBody } from "@/lib/staff/schema";

export type { StaffMember };

const PATH = "/api/operator/v1/staff";
/** The staff's calls name no account. */
const api = apiOf(null);

export const STAFF = [null, "staff"];

export const staffQuery = queryOptions({
  queryKey: STAFF,
  queryFn: ({ signal }) => api.get<Staff>(PATH, {}, signal),
});

export const inviteStaff = (body: StaffInviteBodySent) => api.post(PATH, body);
export const changeStaffRoles = (id: string, body: StaffRolesBody) => api.patch(`${PATH}/${id}`, body);
export const removeStaff = (id: string) => api.delete(`${PATH}/${id}`);
export const resetStaffFactor = (id: string) => api.delete(`${PATH}/${id}/second-factor`);
