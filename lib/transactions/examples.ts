import { EXAMPLE_AT, exampleId, exampleTimes } from "@/lib/events/subject";

const sold = { reference_id: exampleId(8), name: "Caneca" };

/** What only sales of a page of ours have. */
const fromPage = {
  ...{ origin: "payment_link", checkout: { ...sold, items: [{ ...sold, type: "payment_link", amount: 12_990 }] } },
  ...{ client_ip: "203.0.113.7", user_agent: "Mozilla/5.0", tracking: { utm: { source: "newsletter" } } },
  delivery_address: {
    ...{ postal_code: "01310100", street: "Avenida Paulista", number: "1000" },
    ...{ district: "Bela Vista", city: "São Paulo", state: "SP" },
  },
};

/** Made-up sales as events keep them, for tests of webhooks. Amounts in cents. */
const pending = {
  ...{
    id: exampleId(1),
    account_id: exampleId(0),
    method: "pix",
    status: "pending",
    amount: 12_990,
    fee: 779,
    net: 12_211,
  },
  ...{
    refunded_amount: 0,
    lost_amount: 0,
    description: "Caneca",
    client_name: "Ana Souza",
    client_phone: "11987654321",
  },
  ...fromPage,
  ...{ client_email: "ana@example.com", client_document: "52998224725", ...exampleTimes },
};
const byPix = { ...pending, txid: "exemplo", pix_code: "00020126" };
const byCard = { ...pending, method: "card", installments: 1, card_brand: "visa", card_last4: "1111" };

/** A Pix that was paid. */
export const exampleSale = {
  ...{ ...byPix, status: "completed", paid_at: EXAMPLE_AT, end_to_end_id: "E00000000202601151200abcdefghijk" },
};

const created = { status: "pending", previous_status: null };
const paid = { status: "completed", previous_status: "pending" };

export const saleExamples = [
  { type: "transaction.created", data: created, record: byPix },
  { type: "transaction.created", data: created, record: byCard },
  { type: "transaction.updated", data: paid, record: exampleSale },
  { type: "transaction.updated", data: paid, record: { ...byCard, status: "completed", paid_at: EXAMPLE_AT } },
] as const;
