import { takeCspReports } from "@/lib/http/csp-reports";
import { verbs } from "@/lib/rails/http";

/** Where browsers tell what a policy of ours blocked. */
export const { GET, POST, PUT, PATCH, DELETE } = verbs({ POST: takeCspReports });
