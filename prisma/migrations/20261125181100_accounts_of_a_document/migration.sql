-- CreateIndex
CREATE INDEX "accounts_document_idx" ON "accounts"("document");
