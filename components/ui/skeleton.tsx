import { clsx } from "clsx";

export const SkeletonBlock = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={clsx("skeleton block", className)} />
);

/** Placeholder rows of a table. With `waited` they are shown at once, because the reader has waited already. */
export function RowsSkeleton({ rows = 8, waited = false }: { rows?: number | undefined; waited?: boolean }) {
  return (
    <div aria-hidden="true" className={clsx("border-t", waited && "[--wait:0ms]")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <div key={row} className="flex h-11 items-center gap-6 border-b max-sm:h-16">
          <SkeletonBlock className="h-3.5 w-2/5" />
          <SkeletonBlock className="h-3.5 w-1/6 max-sm:hidden" />
          <SkeletonBlock className="ml-auto h-3.5 w-24" />
        </div>
      ))}
    </div>
  );
}

/** The skeleton of a list page: title, toolbar, rows. */
export function ListSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="mb-6 flex justify-between">
        <SkeletonBlock className="h-7 w-40" />
        <SkeletonBlock className="h-9 w-36" />
      </div>
      <RowsSkeleton />
    </div>
  );
}

/** The skeleton of a detail page: head, two columns. */
export function DetailSkeleton() {
  return (
    <div aria-hidden="true">
      <SkeletonBlock className="mb-5 h-3.5 w-32" />
      <SkeletonBlock className="mb-2 h-8 w-52" />
      <SkeletonBlock className="mb-9 h-4 w-40" />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(260px,1fr)]">
        <RowsSkeleton rows={5} />
        <RowsSkeleton rows={4} />
      </div>
    </div>
  );
}

/** The skeleton of a form: title, two fields, button. */
export function FormSkeleton() {
  return (
    <div aria-hidden="true" className="grid max-w-[560px] gap-6">
      <SkeletonBlock className="h-7 w-48" />
      <SkeletonBlock className="h-14 w-full" />
      <SkeletonBlock className="h-9 w-full" />
      <SkeletonBlock className="h-11 w-40" />
    </div>
  );
}
