import { Pix } from "@/lib/rails/pix/bacen/schemas.generated";

/**
 * What is read of a payment, so that one that is odd in anything else is a payment all the same. A txid of another form is as good as
 * none: some PSPs write an empty one for what was paid to the key.
 */
export const Paid = Pix.pick({ endToEndId: true, valor: true, horario: true, chave: true }).extend({
  txid: Pix.shape.txid.catch(undefined),
});

/** A time as the standard writes it (RFC 3339); one without an offset is Brasília's. An invalid date for any other text. */
export const timeOf = (text: string): Date => new Date(/(Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}-03:00`);
