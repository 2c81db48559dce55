import { SkeletonBlock } from "@/components/ui/skeleton";

/** The skeleton of a page of the settings: title, tabs, fields. */
export function SettingsSkeleton() {
  return (
    <div aria-hidden="true" className="grid gap-6">
      <SkeletonBlock className="h-7 w-40" />
      <SkeletonBlock className="h-9 w-full" />
      <FieldsSkeleton />
    </div>
  );
}

/** The same under the tabs, which are there already. */
export const FieldsSkeleton = () => (
  <div aria-hidden="true" className="grid max-w-[560px] gap-6">
    <SkeletonBlock className="h-14 w-full" />
    <SkeletonBlock className="h-14 w-full" />
    <SkeletonBlock className="h-14 w-full" />
    <SkeletonBlock className="h-9 w-32" />
  </div>
);
