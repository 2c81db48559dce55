import { expect, test } from "vitest";
import { bodyOf } from "@/lib/webhooks/payloads";
import type { Event, Transaction } from "@/prisma/client/client";

const paidAt = new Date("2026-01-31T02:30:00.123Z");

const sale: Transaction = {
  id: "0190a0c1-7d00-7000-8000-0000000000aa",
  accountId: "0190a0c1-7d00-7000-8000-0000000000bb",
  type: "cash_in",
  method: "pix",
  origin: "api",
  status: "completed",
  amount: 1999n,
  fee: 119n,
  net: 1880n,
  shares: [{ account_id: "x", percentage: 10, amount: 188 }],
  description: "Pedido 7",
  externalId: "pedido-7",
  clientName: "José Ação",
  clientEmail: "jose@example.com",
  clientDocument: "52998224725",
  clientPhone: "11999998888",
  txid: "abc",
  cardBrand: null,
  cardLast4: null,
  installments: null,
  clientIp: null,
  userAgent: null,
  refusedReason: null,
  settleAt: null,
  settledAt: null,
  pixCode: "000201…",
  endToEndId: "E12345678202601310230abcdefghijk",
  payer: { name: "Outra Pessoa", document: "11144477735", ispb: "12345678" },
  callback: { url: "https://example.com/", contract: "legacy" },
  legacy: null,
  late: false,
  requestId: null,
  expiresAt: new Date("2026-02-01T02:00:00Z"),
  paidAt,
  createdAt: new Date("2026-01-31T02:00:05Z"),
  updatedAt: paidAt,
};

const happened = (status: string, previous_status: string | null): Event => ({
  id: "0190a0c1-7d00-7000-8000-0000000000ee",
  accountId: sale.accountId,
  type: "",
  subjectId: sale.id,
  data: { status, previous_status },
  requestId: null,
  occurredAt: new Date("2026-01-31T02:30:01.000Z"),
});

const created = happened("pending", null);
const paid = happened("completed", "pending");

test("cash contract: exactly its members; those of a payment only once it is paid", () => {
  const unpaid = {
    id: sale.id,
    client: { name: "José Ação", email: "jose@example.com", document: "52998224725" },
    pix_code: "000201…",
    amount: 19.99,
    final_amount: 18.8,
    currency: "BRL",
    status: "pending",
    payment_method: "PIX",
    created_at: "2026-01-31T02:00:05.000000Z",
    updated_at: "2026-01-31T02:30:01.000000Z",
  };
  expect(bodyOf("cash", "cashin.create", created, sale)).toEqual({ data: unpaid });
  expect(bodyOf("cash", "cashin.update", paid, sale)).toEqual({
    data: { ...unpaid, status: "completed", end_to_end: sale.endToEndId, debtor_account: sale.payer },
  });
});

test("event contract: exactly its members", () => {
  const body = bodyOf("event", "transaction.updated", paid, sale) as Record<string, Record<string, unknown>>;
  expect(Object.keys(body)).toEqual([
    ...["event", "event_id", "occurred_at", "api_version"],
    ...["transaction", "customer", "checkout", "payment", "tracking"],
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
});

test("a creation told after the payment still tells of no payment", () => {
  for (const contract of ["cash", "event", "legacy"] as const) {
    const text = JSON.stringify(bodyOf(contract, "x", created, sale));
    expect(text).not.toMatch(/completed|PAID_OUT|E12345678|Outra Pessoa|02:30:00\.123/);
  }
});

test("legacy postback: exactly its members, empty texts for what is not known", () => {
  const legacy = { externaRef: "ref-1", checkout: { utm_source: "ads" } };
  expect(bodyOf("legacy", "x", paid, { ...sale, legacy })).toEqual({
    data: {
      id: sale.id,
      idtransaction: sale.id,
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
  const bare = { ...sale, clientName: null, clientEmail: null, clientDocument: null, pixCode: null };
  expect(bodyOf("legacy", "x", paid, bare)).toMatchObject({
    data: { externalreference: "pedido-7", client_name: "", client_document: "", paymentcode: "" },
  });
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
  const at = happened(status, null);
  expect(bodyOf("cash", "x", at, sale)).toMatchObject({ data: { status: cash } });
  expect(bodyOf("event", "x", at, sale)).toMatchObject({ transaction: { status: event } });
  expect(bodyOf("legacy", "x", at, sale)).toMatchObject({ data: { status: legacy } });
});
