import { readBalance, readProfile } from "@/lib/accounts/read";
import { readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { methodNames } from "@/lib/methods/methods";
import { reais } from "@/lib/money";
import { countByStatus } from "@/lib/rollups/read";
import { findTransaction } from "@/lib/transactions/read";
import { statusLegacy, statusV1 } from "@/lib/transactions/states";
import { withdrawalStatusLegacy, withdrawalStatusV1 } from "@/lib/withdrawals/states";
import { readPaidOut } from "@/lib/withdrawals/totals";
import { findAny } from "@/lib/withdrawals/transaction-v1";

/** GET /s1/getCompany/. The seller's id is its first client id still in use, which also names it in a split. */
export async function readLegacyCompany(accountId: string) {
  const { name, email, document, phone } = await readProfile(accountId);
  const where = { accountId, revokedAt: null };
  const credential = await readFor(accountId, (tx) => tx.credential.findFirst({ where, orderBy: { clientId: "asc" } }));
  return {
    dados_seller: {
      id_seller: credential?.clientId ?? accountId,
      empresa: { id: accountId, nome: name, email, cpf_cnpj: document, telefone: phone },
    },
  };
}

/** GET /s1/getTransaction/api/getTransactionStatus.php; throws `transaction_not_found`, in the old API's own form. */
export async function readLegacyStatus(accountId: string, id: string) {
  if (!isId(id)) throw notFound();
  const withdrawal = (await findAny(accountId, id))?.withdrawal;
  if (withdrawal) {
    return {
      ...{ situacao: withdrawalStatusV1[withdrawal.status], tipo: "pix", valor_bruto: reais(withdrawal.amount) },
      status: withdrawalStatusV1[withdrawal.status],
      status_transaction: withdrawalStatusLegacy[withdrawal.status],
    };
  }
  const sale = await findTransaction(accountId, id).catch((error) => {
    throw error instanceof AppError && error.code === "transaction_not_found" ? notFound() : error;
  });
  return {
    situacao: statusV1[sale.status],
    tipo: sale.method,
    valor_bruto: reais(sale.amount),
    status: statusV1[sale.status],
    status_transaction: statusLegacy[sale.status],
  };
}

/** GET /s1/getsaldo/api/: the money that can be withdrawn, and the sums of all money received and sent. */
export async function readLegacyBalance(accountId: string) {
  const { name, email } = await readProfile(accountId);
  const { balance } = await readBalance(accountId);
  const which = { accountId, basis: "paid", methods: methodNames } as const;
  const paid = await readFor(accountId, (tx) => countByStatus(tx, which));
  const sumOf = (amounts: bigint[]) => reais(amounts.reduce((sum, amount) => sum + amount, 0n));
  const out = await readFor(accountId, (tx) => readPaidOut(tx, accountId));
  const saida = { quantidade: out.number, bruto: reais(out.total), liquido: reais(out.amount) };
  const entrada = {
    quantidade: paid.reduce((sum, { number }) => sum + number, 0),
    bruto: sumOf(paid.map(({ gross }) => gross)),
    liquido: sumOf(paid.map(({ net }) => net)),
  };
  return {
    data: {
      usuario: email,
      nome: name,
      saldo_liquido: Number(balance),
      transacoes: { entrada, saida },
    },
    status: 200,
    message: "Saldo consultado.",
    error: false,
  };
}

const notFound = () => new AppError("transaction_not_found", { isLegacy: true });
