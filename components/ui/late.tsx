import { type ComponentType, lazy, Suspense } from "react";

/** A component that is downloaded when it is first shown; until then nothing stands in its place. */
export function late<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (props: P) => (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  );
}
