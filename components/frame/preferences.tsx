"use client";
import { clsx } from "clsx";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useLocale, useTranslations } from "use-intl";
import { remember } from "@/components/frame/remember";
import { locales } from "@/messages";

const themes = ["system", "light", "dark"] as const;

/** Theme and language, stored in cookies so that the server renders with them. */
export function Preferences() {
  const t = useTranslations("preferences");
  const locale = useLocale();
  const router = useRouter();
  const [theme, setTheme] = useState<string>("system");
  useEffect(() => setTheme(document.documentElement.dataset.theme ?? "system"), []);
  return (
    <div className="grid gap-3">
      <Choices
        legend={t("theme")}
        options={themes.map((name) => [name, t(name)] as const)}
        value={theme}
        onChoose={(name) => {
          remember("theme", name);
          if (name === "system") delete document.documentElement.dataset.theme;
          else document.documentElement.dataset.theme = name;
          setTheme(name);
        }}
      />
      <Choices
        legend={t("language")}
        options={locales.map((name) => [name, t(name)] as const)}
        value={locale}
        onChoose={(name) => {
          remember("locale", name);
          router.refresh();
        }}
      />
    </div>
  );
}

type ChoicesProps = {
  legend: string;
  options: readonly (readonly [value: string, label: string])[];
  value: string;
  onChoose: (value: string) => void;
};

function Choices({ legend, options, value, onChoose }: ChoicesProps) {
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 px-2 text-caption text-muted">{legend}</legend>
      <div className="flex gap-1 rounded-control border p-0.5">
        {options.map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={value === name}
            onClick={() => onChoose(name)}
            className={clsx(
              "h-7 flex-1 rounded-[4px] px-2 text-caption transition-colors",
              value === name ? "bg-line font-medium" : "text-muted hover:text-ink",
            )}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
