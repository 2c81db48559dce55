import { layoutWith } from "@/app/texts";

export default layoutWith("signIn", "invitation", "time");
