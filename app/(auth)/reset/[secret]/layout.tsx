import { layoutWith } from "@/app/texts";

export default layoutWith("reset", "expired");
