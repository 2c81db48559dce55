"use client";
import { useLocale } from "use-intl";
import { remember } from "@/components/frame/remember";

/** Loads an entry page in the other language, which is kept for all pages. Its name is in that language. */
export function OtherLanguage() {
  const [locale, name] = useLocale() === "en" ? (["pt-BR", "Português"] as const) : (["en", "English"] as const);
  function choose() {
    remember("locale", locale);
    window.location.reload();
  }
  return (
    <button
      type="button"
      lang={locale}
      onClick={choose}
      className="justify-self-start py-1 text-muted underline underline-offset-4 hover:text-ink"
    >
      {name}
    </button>
  );
}
