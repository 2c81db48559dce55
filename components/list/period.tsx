"use client";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useNow } from "@/components/clock";
import { dayOf } from "@/components/format";
import type { FilterControl } from "@/components/list/use-list";
import { Input, Select } from "@/components/ui/field";
import { DAY_MS } from "@/lib/time/calendar";

const presets = { today: 0, week: 6, month: 29 } as const;
type Preset = keyof typeof presets;

/** A period, by its name or as two dates. Days are São Paulo's, both ends included. */
export function Period({ list: { filters, go } }: { list: FilterControl<"from" | "to"> }) {
  const t = useTranslations("common.period");
  const now = useNow();
  const [choosing, setChoosing] = useState(false);
  const { from, to } = filters;
  const isSet = Boolean(from || to);
  useEffect(() => {
    if (!isSet) setChoosing(false); // the toolbar cleared it
  }, [isSet]);
  const rangeOf = (preset: Preset) => ({
    from: dayOf(new Date(now - presets[preset] * DAY_MS)),
    to: dayOf(new Date(now)),
  });
  const named = (Object.keys(presets) as Preset[]).find((preset) => {
    const range = rangeOf(preset);
    return from === range.from && to === range.to;
  });
  const isCustom = choosing || (isSet && !named);

  function choose(value: string) {
    setChoosing(value === "custom");
    if (value === "") go({ from: "", to: "" });
    else if (value !== "custom") go(rangeOf(value as Preset));
  }
  return (
    <>
      <Select
        aria-label={t("label")}
        value={isCustom ? "custom" : (named ?? "")}
        onChange={({ target }) => choose(target.value)}
        className="!w-auto"
      >
        <option value="">{t("any")}</option>
        <option value="today">{t("today")}</option>
        <option value="week">{t("week")}</option>
        <option value="month">{t("month")}</option>
        <option value="custom">{t("custom")}</option>
      </Select>
      {isCustom &&
        (["from", "to"] as const).map((end) => (
          <Input
            key={end}
            type="date"
            aria-label={t(end)}
            value={filters[end] ?? ""}
            onChange={({ target }) => go({ [end]: target.value })}
            className="!w-auto"
          />
        ))}
    </>
  );
}
