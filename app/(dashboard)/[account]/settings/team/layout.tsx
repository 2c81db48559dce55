import { layoutWith } from "@/app/texts";

export default layoutWith("team", "roles", "scopes");
