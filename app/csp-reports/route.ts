import { receiveCspReports } from "@/lib/http/csp-reports";
import { methods } from "@/lib/http/methods";

/** Where browsers report what a policy of ours blocked. */
export const { GET, POST, PUT, PATCH, DELETE } = methods({ POST: receiveCspReports });
