import { layoutWith } from "@/app/texts";

export default layoutWith("sales", "status", "card");
