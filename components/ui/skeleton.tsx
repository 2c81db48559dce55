import { clsx } from "clsx";

export const Bone = ({ className }: { className?: string }) => (
  <span aria-hidden="true" className={clsx("skeleton block", className)} />
);

/** Rows in the shape of a table that is on its way. */
export function RowBones({ rows = 8, waited = false }: { rows?: number; waited?: boolean }) {
  return (
    <div aria-hidden="true" className={clsx("border-t", waited && "[--wait:0ms]")}>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones have no identity
        <div key={row} className="flex h-11 items-center gap-6 border-b max-sm:h-16">
          <Bone className="h-3.5 w-2/5" />
          <Bone className="h-3.5 w-1/6 max-sm:hidden" />
          <Bone className="ml-auto h-3.5 w-24" />
        </div>
      ))}
    </div>
  );
}

/** A list page: its title, its toolbar, its rows. */
export function ListBones() {
  return (
    <div aria-hidden="true">
      <div className="mb-6 flex justify-between">
        <Bone className="h-7 w-40" />
        <Bone className="h-9 w-36" />
      </div>
      <RowBones />
    </div>
  );
}

/** A detail page: its head, its two columns. */
export function DetailBones() {
  return (
    <div aria-hidden="true">
      <Bone className="mb-5 h-3.5 w-32" />
      <Bone className="mb-2 h-8 w-52" />
      <Bone className="mb-9 h-4 w-40" />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(260px,1fr)]">
        <RowBones rows={5} />
        <RowBones rows={4} />
      </div>
    </div>
  );
}

/** A form: its title, two fields, its button. */
export function FormBones() {
  return (
    <div aria-hidden="true" className="grid max-w-[560px] gap-6">
      <Bone className="h-7 w-48" />
      <Bone className="h-14 w-full" />
      <Bone className="h-9 w-full" />
      <Bone className="h-11 w-40" />
    </div>
  );
}
