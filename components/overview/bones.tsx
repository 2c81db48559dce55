import { Bone } from "@/components/ui/skeleton";

/** Home on its way: the figure, the statement, the chart. */
export function HomeBones() {
  return (
    <div
      aria-hidden="true"
      className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]"
    >
      <div className="grid gap-10 max-lg:contents">
        <div className="grid gap-2">
          <Bone className="h-4 w-24" />
          <Bone className="h-8 w-56" />
          <Bone className="h-3.5 w-40" />
        </div>
        <div className="grid gap-4 border-t pt-5 max-lg:order-2">
          <Bone className="h-4 w-48" />
          <Bone className="h-56 w-full" />
        </div>
      </div>
      <div className="grid gap-4 border-t pt-5 max-lg:order-1">
        <Bone className="h-4 w-16" />
        {[1, 2, 3, 4].map((row) => (
          <div key={row} className="flex justify-between">
            <Bone className="h-4 w-28" />
            <Bone className="h-4 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
