import { layoutWith } from "@/app/texts";

export default layoutWith("accounts", "roles", "preferences");
