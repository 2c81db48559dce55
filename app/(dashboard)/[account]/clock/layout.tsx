import { layoutWith } from "@/app/texts";

export default layoutWith("clock", "sandbox");
