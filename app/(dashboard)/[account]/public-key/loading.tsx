import { PublicKeyBones } from "@/components/cards/bones";
import { Loading } from "@/components/ui/loading";

export default function LoadingPage() {
  return (
    <Loading>
      <PublicKeyBones />
    </Loading>
  );
}
