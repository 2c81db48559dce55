import { z } from "zod";
import { MAX_TYPED } from "@/lib/typed/fields";
import { digitsIn, plain, upper } from "@/lib/typed/text";

/** The 26 states and the Federal District, by their letters. */
export const federativeUnits = {
  AC: "Acre",
  AL: "Alagoas",
  AM: "Amazonas",
  AP: "Amapá",
  BA: "Bahia",
  CE: "Ceará",
  DF: "Distrito Federal",
  ES: "Espírito Santo",
  GO: "Goiás",
  MA: "Maranhão",
  MG: "Minas Gerais",
  MS: "Mato Grosso do Sul",
  MT: "Mato Grosso",
  PA: "Pará",
  PB: "Paraíba",
  PE: "Pernambuco",
  PI: "Piauí",
  PR: "Paraná",
  RJ: "Rio de Janeiro",
  RN: "Rio Grande do Norte",
  RO: "Rondônia",
  RR: "Roraima",
  RS: "Rio Grande do Sul",
  SC: "Santa Catarina",
  SE: "Sergipe",
  SP: "São Paulo",
  TO: "Tocantins",
} as const;

/** A text without accents, in upper case, with single spaces. */
const bare = (text: string) => upper(plain(text).normalize("NFD").replace(/\p{M}/gu, "").replace(/ +/g, " ").trim());

const unitOf = new Map(
  Object.entries(federativeUnits).flatMap(([unit, name]) => [
    [unit, unit],
    [bare(name), unit],
  ]),
);

/**
 * The letters of a state as people write it and browsers fill it in: "sp", "SAO PAULO", "BR-SP", "Estado de São Paulo";
 * undefined for any other text.
 */
export const federativeUnitOf = (text: string): string | undefined =>
  unitOf.get(bare(text).replace(/^(BR-|ESTADO D[EAO] |STATE OF )/, ""));

/** A state of Brazil, stored as its two letters. */
export const FederativeUnit = z
  .string()
  .max(MAX_TYPED)
  .transform((text) => federativeUnitOf(text) ?? "")
  .refine(Boolean, "Estado inválido. Use as duas letras ou o nome.")
  .meta({ description: "Two letters, or the state's name", example: "SP" });

/** A CEP, stored as its 8 digits. */
export const PostalCode = z
  .string()
  .max(MAX_TYPED)
  .transform((text) => digitsIn(plain(text).replace(/^ *CEP:? */i, "")) ?? "")
  .refine((digits) => digits.length === 8, "CEP inválido. Use 8 dígitos.")
  .meta({ description: "8 digits, with or without a dash", example: "01310100" });
