import { layoutWith } from "@/app/texts";

export default layoutWith("sale", "deposits", "refusals", "timeline", "deliveries");
