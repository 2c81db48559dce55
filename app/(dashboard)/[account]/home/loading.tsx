import { loadingPage } from "@/app/loading-page";
import { HomePageSkeleton } from "@/components/overview/skeleton";

export default loadingPage(HomePageSkeleton);
