import { layoutWith } from "@/app/texts";

export default layoutWith("forgot", "checkMail");
