import { RowsSkeleton, SkeletonBlock } from "@/components/ui/skeleton";

/** The public key while it loads: title, key, domains beside the tester. */
export function PublicKeySkeleton() {
  return (
    <div aria-hidden="true">
      <div className="mb-6 flex justify-between gap-6">
        <SkeletonBlock className="h-7 w-40" />
        <SkeletonBlock className="h-9 w-36" />
      </div>
      <div className="grid gap-8">
        <div className="grid gap-3 border-t pt-5">
          <SkeletonBlock className="h-4 w-24" />
          <SkeletonBlock className="h-11 w-full" />
        </div>
        <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
          <RowsSkeleton rows={3} />
          <RowsSkeleton rows={2} />
        </div>
      </div>
    </div>
  );
}
