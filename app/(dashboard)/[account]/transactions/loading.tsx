import { Loading } from "@/components/ui/loading";
import { ListBones } from "@/components/ui/skeleton";

export default function LoadingPage() {
  return (
    <Loading>
      <ListBones />
    </Loading>
  );
}
