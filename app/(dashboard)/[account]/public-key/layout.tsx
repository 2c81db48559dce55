import { layoutWith } from "@/app/texts";

export default layoutWith("publicKey", "originTester", "testCards", "wayBack", "refusals");
