import type { Token } from "@/browser/fields/talk";

/** Card fields that are shown; see `Repasse.fields` of mount.ts. */
export type CardFields = { tokenize(): Promise<Token>; destroy(): void };
type Look = { publicKey: string | undefined; locale: string | undefined; theme: string };
type Mount = (element: Element, options: Look & { onReady: () => void }) => CardFields;

const READY_WITHIN_MS = 20_000;

/**
 * Shows our card fields in a page of our own, with the script that shops use. The page gets tokens and never sees a card.
 * Rejects where the fields are not ready in time.
 */
export async function openCardFields(place: Element, look: Look): Promise<CardFields> {
  const mount = await loadMount();
  place.textContent = "";
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      fields.destroy();
      reject(new Error("late"));
    }, READY_WITHIN_MS);
    const ready = () => {
      clearTimeout(late);
      resolve(fields);
    };
    const fields = mount(place, { ...look, onReady: ready });
  });
}

function loadMount(): Promise<Mount> {
  const ours = window as typeof window & { Repasse?: { fields: Mount } };
  if (ours.Repasse) return Promise.resolve(ours.Repasse.fields);
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.nonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
    script.src = "/fields.js";
    script.onload = () => (ours.Repasse ? resolve(ours.Repasse.fields) : reject(new Error("no fields")));
    script.onerror = reject;
    document.head.append(script);
  });
}
