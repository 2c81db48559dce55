import { staffListPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { ProfileRequests } from "@/components/operator/profile-requests";
import { listRequests } from "@/lib/profile-requests/read";
import { ProfileRequestsQuery } from "@/lib/profile-requests/schema";

export const generateMetadata = titled("profileRequests", "title");

export default staffListPage({
  texts: ["profileRequests"],
  key: ["profile-requests", "list"],
  path: "/api/operator/v1/profile-requests",
  query: { per_page: 25 },
  filters: ProfileRequestsQuery,
  read: listRequests,
  shows: ProfileRequests,
});
