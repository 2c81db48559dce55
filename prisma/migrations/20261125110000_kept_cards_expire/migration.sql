-- The last local day on which a kept card can be charged. Of a card that was kept before it is read once from what the
-- vault encrypted (lib/subscriptions/read-expiries.ts).
alter table "stored_cards" add column "expires_on" date;

-- Of a subscription by card: how many of the mails about its card's expiry are past.
alter table "subscriptions" add column "card_warnings" integer;

-- The subscriptions whose card was kept before and whose expiry is not read yet; empty afterwards.
create index "subscriptions_card_unread" on "subscriptions" ("account_id", "id")
  where "stored_card_id" is not null and "card_warnings" is null and "status" <> 'cancelled';
