-- An account's mails are in its owner's language, so its people are looked up by the account.
-- CreateIndex
CREATE INDEX "memberships_account_id_idx" ON "memberships"("account_id");
