import { takeCspReports } from "@/lib/http/csp-reports";
import { verbs } from "@/lib/http/verbs";

/** Where browsers tell what a policy of ours blocked. */
export const { GET, POST, PUT, PATCH, DELETE } = verbs({ POST: takeCspReports });
