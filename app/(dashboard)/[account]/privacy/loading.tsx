import { loadingPage } from "@/app/loading-page";
import { SettingsSkeleton } from "@/components/settings/skeleton";

export default loadingPage(SettingsSkeleton);
