import { loadingPage } from "@/app/loading-page";
import { DetailSkeleton } from "@/components/ui/skeleton";

export default loadingPage(DetailSkeleton);
