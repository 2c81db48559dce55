import { layoutWith } from "@/app/texts";

export default layoutWith("sale", "charges", "refusals", "timeline", "deliveries");
