"use client";
import { refundForSeller } from "@/components/operator/sale-queries";
import { RefundForm } from "@/components/refunds/ask";
import type { RefundableSale } from "@/components/refunds/effect";

type Props = { account: string; sale: RefundableSale; onClose: () => void };

/** Asks for a refund of a seller's sale, as the operator's staff. */
export const AskForSeller = ({ account, sale, onClose }: Props) => (
  <RefundForm
    sale={sale}
    by="staff"
    send={(body) => refundForSeller(account, sale.transaction.reference_id, body)}
    refresh={[null]}
    onClose={onClose}
  />
);
