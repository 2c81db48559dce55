-- What is posted for a sale follows its shares: one of another account could take money out of a sale that is not its own.
select set_config('app.accounts', '*', true);

-- AddForeignKey
ALTER TABLE "shares" ADD CONSTRAINT "shares_account_id_transaction_id_fkey" FOREIGN KEY ("account_id", "transaction_id") REFERENCES "transactions"("account_id", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;
