import { layoutWith } from "@/app/texts";

export default layoutWith("timeline", "deliveries", "card");
