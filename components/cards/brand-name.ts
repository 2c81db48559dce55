import type { Brand } from "@/lib/pan/brands";

const names: Record<Brand, string> = {
  elo: "Elo",
  hipercard: "Hipercard",
  hiper: "Hiper",
  aura: "Aura",
  amex: "Amex",
  diners: "Diners",
  discover: "Discover",
  jcb: "JCB",
  mastercard: "Mastercard",
  visa: "Visa",
};

/** A brand as people write it. */
export const brandName = (brand: string): string => names[brand as Brand] ?? brand;
