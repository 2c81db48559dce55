"use client";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";

type Props = {
  title: string;
  /** The text that this is shown only once. */
  once: string;
  rows: (readonly [label: string, value: string, help?: string])[];
  /** The text of the button that closes the dialog. */
  kept: string;
  onClose: () => void;
};

/** Secrets that are shown once, each with its copy button. Only the dialog's button closes it. */
export function SecretsDialog({ title, once, rows, kept, onClose }: Props) {
  return (
    <Dialog title={title} description={once} sticky onClose={onClose}>
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
      <Button look="primary" className="mt-6 max-sm:w-full" onClick={onClose}>
        {kept}
      </Button>
    </Dialog>
  );
}
