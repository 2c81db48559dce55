/** Money that arrived. `txid` is `***` when the payer's code had none; `paidAt` is the rail's clock. */
export type Receipt = { endToEndId: string; txid: string; amount: number; payer: Payer; paidAt: Date };

/** Who paid; a name and a document are null where the rail does not say them. */
export type Payer = { name: string | null; document: string | null; ispb: string };
