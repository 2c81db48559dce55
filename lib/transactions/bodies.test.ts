import { expect, test } from "vitest";
import type { KeptEvent } from "@/lib/events/subject";
import { openEvent } from "@/lib/events/subjects";
import type { Prisma } from "@/prisma/client/client";
import type { DeliveryContract } from "@/prisma/client/enums";

const ID = "0190a0c1-7d00-7000-8000-0000000000aa";
const END_TO_END_ID = "E12345678202601310230abcdefghijk";
const payer = { name: "Outra Pessoa", document: "11144477735", ispb: "12345678" };

/** An unpaid sale in the form of PostgreSQL's JSON of its row, without nulls. */
const unpaidSale = {
  id: ID,
  account_id: "0190a0c1-7d00-7000-8000-0000000000bb",
  method: "pix",
  origin: "api",
  status: "pending",
  amount: 1999,
  fee: 119,
  net: 1880,
  description: "Pedido 7",
  external_id: "pedido-7",
  client_name: "José Ação",
  client_email: "jose@example.com",
  client_document: "52998224725",
  client_phone: "11999998888",
  txid: "abc",
  pix_code: "000201…",
  callback: { url: "https://example.com/", contract: "legacy" },
  late: false,
  expires_at: "2026-02-01T02:00:00+00:00",
  created_at: "2026-01-31T02:00:05+00:00",
  updated_at: "2026-01-31T02:00:05+00:00",
};
const paidSale = {
  ...unpaidSale,
  status: "completed",
  end_to_end_id: END_TO_END_ID,
  payer,
  paid_at: "2026-01-31T02:30:00.123+00:00",
  updated_at: "2026-01-31T02:30:01+00:00",
};

type Row = { status: string; [column: string]: unknown };

const happened = (record: Row, previous_status: string | null) => ({
  id: "0190a0c1-7d00-7000-8000-0000000000ee",
  type: previous_status ? "transaction.updated" : "transaction.created",
  subject: "transaction",
  data: { status: record.status, previous_status },
  record: record as Prisma.JsonObject,
  actor: null,
  occurredAt: new Date("2026-01-31T02:30:01.000Z"),
});

const created = happened(unpaidSale, null);
const paid = happened(paidSale, "pending");

const bodyOf = (contract: DeliveryContract, name: string, event: KeptEvent) =>
  openEvent(event).body({ contract, name });

test("cash contract: exactly its members, those of a payment only when it is paid", () => {
  const unpaid = {
    id: ID,
    client: { name: "José Ação", email: "jose@example.com", document: "52998224725" },
    pix_code: "000201…",
    amount: 19.99,
    final_amount: 18.8,
    currency: "BRL",
    status: "pending",
    payment_method: "PIX",
    created_at: "2026-01-31T02:00:05.000000Z",
    updated_at: "2026-01-31T02:00:05.000000Z",
  };
  expect(bodyOf("cash", "cashin.create", created)).toEqual({ data: unpaid });
  expect(bodyOf("cash", "cashin.update", paid)).toEqual({
    data: {
      ...unpaid,
      status: "completed",
      updated_at: "2026-01-31T02:30:01.000000Z",
      end_to_end: END_TO_END_ID,
      debtor_account: payer,
    },
  });
});

test("event contract: exactly its members", () => {
  const body = bodyOf("event", "transaction.updated", paid) as Record<string, Record<string, unknown>>;
  expect(Object.keys(body)).toEqual([
    ...["event", "event_id", "occurred_at", "api_version"],
    ...["transaction", "customer", "checkout", "payment", "tracking", "delivery_address"],
  ]);
  expect(body).toMatchObject({
    event: "transaction.updated",
    event_id: paid.id,
    occurred_at: "2026-01-31T02:30:01.000000Z",
    api_version: "2026-08-16",
    transaction: { status: "completed", previous_status: "pending", amount: 19.99, net_amount: 18.8 },
    payment: { pix: { code: "000201…" }, card: null },
  });
  expect(Object.keys(body.transaction ?? {})).toEqual([
    ...["reference_id", "status", "previous_status", "payment_method", "origin", "description", "currency", "amount"],
    ...["net_amount", "refused_reason", "end_to_end_id", "created_at", "updated_at", "paid_at", "refunded_at"],
  ]);
  expect(Object.keys(body.customer ?? {})).toEqual(["reference_id", "name", "email", "document", "phone"]);
  expect(Object.keys(body.checkout ?? {})).toEqual(["reference_id", "name", "items"]);
  expect(Object.keys(body.tracking ?? {})).toEqual(["utm", "client_ip", "user_agent"]);
  expect(body.delivery_address).toBeNull();
});

test("event contract: a sale's address and what it sold have every member, though an event keeps no nulls", () => {
  const address = {
    ...{ postal_code: "01310100", street: "Av. Paulista", number: "1000" },
    ...{ district: "Bela Vista", city: "São Paulo", state: "SP" },
  };
  const items = [{ reference_id: "1", name: "Revista", type: "product", amount: 1999 }];
  const sold = happened({ ...paidSale, delivery_address: address, checkout: { items } }, "pending");
  expect(bodyOf("event", "transaction.updated", sold)).toMatchObject({
    delivery_address: { ...address, complement: null },
    checkout: { reference_id: null, name: null, items: [{ amount: 19.99 }] },
  });
});

test("event contract: a sale that went back says when", () => {
  const back = { ...paidSale, status: "refunded", refunded_amount: 1999, refunded_at: "2026-02-01T12:00:00+00:00" };
  expect(bodyOf("event", "transaction.updated", happened(back, "completed"))).toMatchObject({
    transaction: { status: "refunded", refunded_at: "2026-02-01T12:00:00.000000Z" },
  });
});

test("the body about a creation has no field of a payment", () => {
  for (const contract of ["cash", "event", "legacy"] as const) {
    const text = JSON.stringify(bodyOf(contract, "x", created));
    expect(text).not.toMatch(/completed|PAID_OUT|E12345678|Outra Pessoa|02:30:00\.123/);
  }
});

test("legacy postback: exactly its members, and an empty text for each value that is missing", () => {
  const legacy = { externaRef: "ref-1", checkout: { utm_source: "ads" } };
  expect(bodyOf("legacy", "x", happened({ ...paidSale, legacy }, "pending"))).toEqual({
    data: {
      id: ID,
      idtransaction: ID,
      externalreference: "ref-1",
      amount: 19.99,
      status: "PAID_OUT",
      client_name: "José Ação",
      client_email: "jose@example.com",
      client_document: "52998224725",
      paymentcode: "000201…",
      paymentCodeBase64: Buffer.from("000201…").toString("base64"),
      data_registro: "2026-01-30 23:00:05",
      taxa_deposito: 1.19,
      taxa_adquirente: 0,
      deposito_liquido: 18.8,
      checkout: { utm_source: "ads", utm_medium: "", utm_campaign: "", utm_term: "", utm_content: "" },
    },
  });
  const { client_name, client_email, client_document, pix_code, ...bare } = paidSale;
  expect(bodyOf("legacy", "x", happened(bare, "pending"))).toMatchObject({
    data: { externalreference: "pedido-7", client_name: "", client_document: "", paymentcode: "" },
  });
  const tracked = happened({ ...bare, tracking: { utm: { medium: "email" } } }, "pending");
  expect(bodyOf("legacy", "x", tracked)).toMatchObject({ data: { checkout: { utm_source: "", utm_medium: "email" } } });
});

test.each([
  ["pending", "pending", "pending", "WAITING_FOR_APPROVAL"],
  ["completed", "completed", "completed", "PAID_OUT"],
  ["expired", "failed", "expired", "EXPIRED"],
  ["refused", "failed", "refused", "CANCELLED"],
  ["failed", "failed", "failed", "CANCELLED"],
  ["disputed", "med", "completed", "PAID_OUT"],
  ["refunded", "refunded", "refunded", "REFUNDED"],
  ["chargedback", "refunded", "chargedback", "REFUNDED"],
])("%s is %s in the cash contract, %s in events, %s in a postback", (status, cash, event, legacy) => {
  const at = happened({ ...paidSale, status }, "pending");
  expect(bodyOf("cash", "x", at)).toMatchObject({ data: { status: cash } });
  expect(bodyOf("event", "x", at)).toMatchObject({ transaction: { status: event } });
  expect(bodyOf("legacy", "x", at)).toMatchObject({ data: { status: legacy } });
});
