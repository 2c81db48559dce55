import { layoutWith } from "@/app/texts";

export default layoutWith("tracking", "status");
