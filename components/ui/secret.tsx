"use client";
import { CopyButton } from "@/components/ui/copy";

/** Secrets shown once, each with its copy button. */
export function Secrets({ rows }: { rows: (readonly [label: string, value: string, help?: string])[] }) {
  return (
    <dl className="grid gap-4">
      {rows.map(([label, value, help]) => (
        <div key={label} className="grid gap-1">
          <dt className="font-medium">{label}</dt>
          <dd className="grid gap-1">
            <div className="flex items-center gap-2 rounded-control border bg-ground py-1 pr-1 pl-3">
              <code className="min-w-0 flex-1 break-all font-mono text-caption">{value}</code>
              <CopyButton text={value} size="small" aria-label={label} />
            </div>
            {help && <p className="text-caption text-muted">{help}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
