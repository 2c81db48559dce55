import { loadingPage } from "@/app/loading-page";
import { ListSkeleton } from "@/components/ui/skeleton";

export default loadingPage(ListSkeleton);
