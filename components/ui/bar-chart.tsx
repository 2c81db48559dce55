"use client";
import { type PointerEvent, useState } from "react";
import { useLocale } from "use-intl";
import { shortMoney } from "@/components/format";

type Point = { label: string; value: number; compare: number; count: number };
type Props = { label: string; points: Point[]; describe: (point: Point) => string[] };

const HEIGHT = 220;
const FOOT = 24;
const HEAD = 8;
const PLOT = HEIGHT - FOOT - HEAD;
const LABELS = 5;

/**
 * Bars from zero with a thin line to compare. Horizontal positions are percentages, so it fits any width without
 * measuring. The pointer shows a day's figures, and the page has the same figures as a table.
 */
export function BarChart({ label, points, describe }: Props) {
  const locale = useLocale();
  const [active, setActive] = useState<number | null>(null);
  const top = niceCeiling(Math.max(1, ...points.flatMap(({ value, compare }) => [value, compare])));
  const step = 100 / points.length;
  const x = (index: number) => (index + 0.5) * step;
  const y = (cents: number) => HEAD + PLOT - (cents / top) * PLOT;
  const every = Math.ceil(points.length / LABELS);
  const point = active === null ? undefined : points[active];

  function follow({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect();
    setActive(Math.max(0, Math.min(points.length - 1, Math.floor(((clientX - left) / width) * points.length))));
  }

  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
      <div aria-hidden="true" className="flex h-[204px] flex-col justify-between text-[11px] text-muted leading-4">
        {[1, 0.5, 0].map((share) => (
          <span key={share}>{shortMoney(top * share, locale)}</span>
        ))}
      </div>
      <div className="relative">
        <svg
          role="img"
          aria-label={label}
          width="100%"
          height={HEIGHT}
          onPointerMove={follow}
          onPointerDown={follow}
          onPointerLeave={() => setActive(null)}
          className="block touch-pan-y overflow-visible"
        >
          {[1, 0.5].map((share) => (
            <line key={share} x1="0" x2="100%" y1={y(top * share)} y2={y(top * share)} className="stroke-line" />
          ))}
          <line x1="0" x2="100%" y1={y(0)} y2={y(0)} className="stroke-muted/60" />
          {points.map(({ label: day, value }, index) => (
            <g key={day}>
              {value > 0 && (
                <rect
                  x={`${x(index) - step * 0.32}%`}
                  width={`${step * 0.64}%`}
                  y={Math.min(y(value), y(0) - 2)}
                  height={Math.max(2, y(0) - y(value))}
                  rx="1.5"
                  className={active === null || active === index ? "fill-accent" : "fill-accent/45"}
                />
              )}
              {(points.length - 1 - index) % every === 0 && (
                <text
                  x={`${x(index)}%`}
                  y={HEIGHT - 6}
                  textAnchor={anchor(index, points.length)}
                  className="fill-muted text-[11px]"
                >
                  {day}
                </text>
              )}
            </g>
          ))}
          {points.slice(1).map(({ label: day, compare }, index) => (
            <line
              key={day}
              x1={`${x(index)}%`}
              y1={y(points[index]?.compare ?? 0)}
              x2={`${x(index + 1)}%`}
              y2={y(compare)}
              strokeWidth="1.25"
              strokeLinecap="round"
              className="stroke-muted"
            />
          ))}
        </svg>
        {point && active !== null && (
          <div
            aria-hidden="true"
            style={active < points.length / 2 ? { left: `${x(active)}%` } : { right: `${100 - x(active)}%` }}
            className="pointer-events-none absolute -top-2 z-10 mx-3 whitespace-nowrap rounded-control bg-ink px-3 py-2 text-caption text-ground shadow-float"
          >
            <p className="font-medium">{point.label}</p>
            {describe(point).map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

const anchor = (index: number, count: number) => (index === 0 ? "start" : index === count - 1 ? "end" : "middle");

const STEPS = [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10];

/** The next larger of STEPS × 10ⁿ cents, at least one real, so that the two lines have round numbers. */
function niceCeiling(cents: number): number {
  const power = 10 ** Math.floor(Math.log10(cents));
  return Math.max(100, (STEPS.find((step) => step * power >= cents) ?? 10) * power);
}
