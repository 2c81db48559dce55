import { layoutWith } from "@/app/texts";

export default layoutWith("home", "balance", "chart", "checklist", "earned");
