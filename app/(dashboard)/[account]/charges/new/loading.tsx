import { Loading } from "@/components/ui/loading";
import { FormBones } from "@/components/ui/skeleton";

export default function LoadingPage() {
  return (
    <Loading>
      <FormBones />
    </Loading>
  );
}
