import { z } from "zod";
import { hideCardNumbers } from "@/lib/pan/detect";
import { optionalText } from "@/lib/typed/fields";

export const utmNames = ["source", "medium", "campaign", "term", "content"] as const;
type UtmName = (typeof utmNames)[number];

/** Of how many characters each value may be. */
export const MAX_TRACKED = 255;
const value = optionalText(MAX_TRACKED);

/** Where a sale came from, as its caller says. Other members of `utm` are ignored. */
export const trackingMembers = {
  utm: z
    .object({ source: value, medium: value, campaign: value, term: value, content: value } satisfies Record<
      UtmName,
      z.ZodType
    >)
    .nullish(),
  src: value,
  sck: value,
};

/** From which address and browser a program says that its payer came. */
export const visitorMembers = {
  client_ip: z
    .union([z.literal(""), z.ipv4(), z.ipv6()], { error: "IP inválido." })
    .nullish()
    .transform((ip) => ip || null),
  user_agent: optionalText(500),
};

/** What a sale keeps of where it came from, in its column `tracking`; what was not given is left out. */
export type Tracking = { utm?: Partial<Record<UtmName, string>>; src?: string; sck?: string };

type Utm = Record<UtmName, string | null>;
type Given = {
  utm?: Utm | Tracking["utm"] | null;
  src?: string | null | undefined;
  sck?: string | null | undefined;
};

/** A request whose caller need not say where it came from. */
export type Untracked<T> = Omit<T, keyof Given> & Given;

/** What is kept of the values that were given; null where there are none. */
export function trackingOf({ utm, src, sck }: Given): Tracking | null {
  const named = utmNames.flatMap((name) => (utm?.[name] ? [[name, utm[name]]] : []));
  const kept: Tracking = {
    ...(named.length > 0 && { utm: Object.fromEntries(named) }),
    ...(src && { src }),
    ...(sck && { sck }),
  };
  return Object.keys(kept).length > 0 ? kept : null;
}

/** The names that these values have in a page's address and in its form. */
export const trackedNames = [...utmNames.map((name) => `utm_${name}` as const), "src", "sck"] as const;
export type Tracked = Partial<Record<(typeof trackedNames)[number], string>>;

/**
 * The values of a page's address, or of its form. What is too long is cut and what looks like a card's number is left out,
 * because no payer is to be refused for what an advertisement wrote.
 */
export function trackedIn(values: URLSearchParams): Tracked {
  const given = trackedNames.flatMap((name) => {
    const text = values.get(name)?.replaceAll("\u0000", "").trim().slice(0, MAX_TRACKED);
    return text && hideCardNumbers(text) === text ? [[name, text]] : [];
  });
  return Object.fromEntries(given);
}

/** The same values as the members that bodies have. */
export const givenBy = ({ src, sck, ...utm }: Tracked) => ({
  utm: Object.fromEntries(utmNames.map((name) => [name, utm[`utm_${name}`] ?? null])) as Utm,
  src: src ?? null,
  sck: sck ?? null,
});
