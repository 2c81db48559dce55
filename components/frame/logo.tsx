/** The mark is one stroke that becomes three, like money that is split. */
export function Logo({ nameClassName }: { nameClassName?: string }) {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold text-prose tracking-[-0.02em]">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 shrink-0">
        <rect width="32" height="32" rx="7" className="fill-accent" />
        <path
          d="M9 8v16M9 16h4c5 0 4-7 10-7M13 16c5 0 4 7 10 7"
          className="fill-none stroke-on-accent"
          strokeWidth="2.6"
          strokeLinecap="round"
        />
      </svg>
      <span className={nameClassName}>Repasse</span>
    </span>
  );
}
