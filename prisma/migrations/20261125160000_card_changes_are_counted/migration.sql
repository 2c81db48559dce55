-- Of a card that a payer put in place of another one: the subscription, so that such changes are counted (lib/charges/begin.ts).
alter table "card_charges" add column "subscription_id" uuid;
