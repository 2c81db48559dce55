import { loadingPage } from "@/app/loading-page";
import { PublicKeySkeleton } from "@/components/cards/skeleton";

export default loadingPage(PublicKeySkeleton);
