import { HomeBones } from "@/components/overview/bones";
import { Loading } from "@/components/ui/loading";
import { Bone } from "@/components/ui/skeleton";

export default function LoadingPage() {
  return (
    <Loading>
      <Bone className="mb-8 h-7 w-32" />
      <HomeBones />
    </Loading>
  );
}
