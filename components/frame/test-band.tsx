import { FlaskConical } from "lucide-react";

/** The band of the test mode on every page. The document's title has a prefix as well. */
export function TestBand({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-2 border-warn/40 border-b bg-warn/12 px-6 py-2 font-medium text-caption text-warn max-sm:px-4">
      <FlaskConical aria-hidden="true" className="size-4 shrink-0" />
      {children}
    </p>
  );
}
