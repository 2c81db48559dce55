import { layoutWith } from "@/app/texts";

export default layoutWith("signUp", "checkMail", "invitation", "time");
