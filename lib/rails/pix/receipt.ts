/** Money that arrived. `txid` is `***` when the payer's code had none; `paidAt` is the rail's clock. */
export type Receipt = { endToEndId: string; txid: string; amount: number; payer: Payer; paidAt: Date };

export type Payer = { name: string; document: string; ispb: string };
