import { plain } from "@/lib/typed/text";

/** A percentage as the API reads it, of what a person types: "12,5 %" is "12.5". */
export const decimalOf = (text: string): string => plain(text).replace(/[ %]/g, "").replace(",", ".");
