-- AlterTable
ALTER TABLE "card_charges" ADD COLUMN     "ask_at" TIMESTAMPTZ(6) NOT NULL DEFAULT (now() + '00:01:00'::interval);

-- Charges of which it is not known what became, for the sweep that asks.
create index "card_charges_to_ask" on "card_charges" ("ask_at") where "answered_at" is null;
