/** A sample sale in large type beside the sign-in form, which shows what the product does. */
export function Specimen({ title, lines, sum }: { title: string; lines: [string, string][]; sum: [string, string] }) {
  return (
    <figure className="grid w-full max-w-[420px] gap-6">
      <figcaption className="text-balance font-semibold text-figure tracking-[-0.02em]">{title}</figcaption>
      <dl className="grid text-prose tabular-nums">
        {lines.map(([name, amount]) => (
          <div key={name} className="flex justify-between gap-6 border-t py-3">
            <dt>{name}</dt>
            <dd>{amount}</dd>
          </div>
        ))}
        <div className="rule-sum flex justify-between gap-6 py-3 font-semibold">
          <dt>{sum[0]}</dt>
          <dd className="text-accent">{sum[1]}</dd>
        </div>
      </dl>
    </figure>
  );
}
