import { layoutWith } from "@/app/texts";

export default layoutWith("settings", "retention", "customerData");
