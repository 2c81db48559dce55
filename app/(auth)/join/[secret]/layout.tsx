import { layoutWith } from "@/app/texts";

export default layoutWith("join", "roles", "expired", "time");
