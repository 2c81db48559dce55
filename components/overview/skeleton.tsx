import { SkeletonBlock } from "@/components/ui/skeleton";

/** The whole page of Home while it loads. */
export const HomePageSkeleton = () => (
  <>
    <SkeletonBlock className="mb-8 h-7 w-32" />
    <HomeSkeleton />
  </>
);

/** Home while it loads: the figure, the statement, the chart. */
export function HomeSkeleton() {
  return (
    <div
      aria-hidden="true"
      className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]"
    >
      <div className="grid gap-10 max-lg:contents">
        <div className="grid gap-2">
          <SkeletonBlock className="h-4 w-24" />
          <SkeletonBlock className="h-8 w-56" />
          <SkeletonBlock className="h-3.5 w-40" />
        </div>
        <div className="grid gap-4 border-t pt-5 max-lg:order-2">
          <SkeletonBlock className="h-4 w-48" />
          <SkeletonBlock className="h-56 w-full" />
        </div>
      </div>
      <div className="grid gap-4 border-t pt-5 max-lg:order-1">
        <SkeletonBlock className="h-4 w-16" />
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="flex justify-between">
            <SkeletonBlock className="h-4 w-28" />
            <SkeletonBlock className="h-4 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
