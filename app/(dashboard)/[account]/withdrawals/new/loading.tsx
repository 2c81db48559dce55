import { loadingPage } from "@/app/loading-page";
import { FormSkeleton } from "@/components/ui/skeleton";

export default loadingPage(FormSkeleton);
