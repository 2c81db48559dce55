import { Loading } from "@/components/ui/loading";
import { DetailBones } from "@/components/ui/skeleton";

export default function LoadingPage() {
  return (
    <Loading>
      <DetailBones />
    </Loading>
  );
}
