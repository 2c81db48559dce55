/** "São João & Cia." → "Sao Joao & Cia.": removes accents, drops what has no ASCII form, and cuts to `length`. */
export function foldToAscii(text: string, length: number): string {
  return text
    .normalize("NFKD")
    .replace(/\s+/g, " ")
    .replace(/[^\x20-\x7e]/g, "")
    .trim()
    .slice(0, length)
    .trimEnd();
}
