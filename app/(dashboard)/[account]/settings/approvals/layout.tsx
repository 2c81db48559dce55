import { layoutWith } from "@/app/texts";

export default layoutWith("approvals", "roles", "scopes", "refunds");
