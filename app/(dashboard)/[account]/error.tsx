"use client";
import { Broken } from "@/components/frame/broken";

type Props = { error: Error & { digest?: string }; reset: () => void };

export default function ErrorPage({ error, reset }: Props) {
  return <Broken error={error} onRetry={reset} />;
}
