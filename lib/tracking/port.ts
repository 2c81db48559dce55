import type { TransactionV2 } from "@/lib/transactions/schema";

/** The transaction event's body, of which an order is made. */
export type SaleEvent = TransactionV2 & { event: string; event_id: string };

/** What of a sale is sent: the service counts an order once by its own id, which is the sale's, however often it comes. */
export type Order = { token: string; event: SaleEvent; isTest: boolean; signal: AbortSignal };

/** What a service answered: its HTTP status, and the text of its answer. */
export type Answered = { status: number; text: string | null };

/** The external service to which sales are reported. Throws where there is no answer; the error's text is ours. */
export type TrackingService = { send(order: Order): Promise<Answered> };
