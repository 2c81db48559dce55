-- What a sale's timeline looks for: money that came by its code and matched nothing.
-- CreateIndex
CREATE INDEX "unmatched_receipts_txid_idx" ON "unmatched_receipts"("txid");
