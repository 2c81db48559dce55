import type { ComponentType } from "react";
import { Loading } from "@/components/ui/loading";

/** A page's loading.tsx, which shows this skeleton. */
export const loadingPage = (Skeleton: ComponentType) =>
  function LoadingPage() {
    return (
      <Loading>
        <Skeleton />
      </Loading>
    );
  };
