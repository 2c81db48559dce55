import { z } from "zod";
import { urlIn } from "@/lib/typed/text";

const address = z.string().trim().max(2048);
const NO_ADDRESS = "Informe um endereço completo, como https://exemplo.com.br/webhook.";

/** A receiver's address. Whether it may be called is a business rule (`webhook_url_not_allowed`). */
export const ReceiverUrl = address.refine((text) => urlIn(text), NO_ADDRESS);

/** The address of a sale's own callback, or none. */
export const OptionalReceiverUrl = address
  .refine((text) => text === "" || urlIn(text), NO_ADDRESS)
  .nullish()
  .transform((text) => text || null);
