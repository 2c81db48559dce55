/** What a check finds: a record, whose it is, and what is wrong with it. */
export type Found = { accountId?: string; id?: string; detail: string };

/** The period for which a rail's records are compared, by the rail's clock. */
export type Window = { since: Date; until: Date };

/**
 * A noun's own checks, by the fault that each finds: a query that returns account_id, id and detail of each fault, or a
 * generator of faults.
 */
export type Checks = Record<string, string | ((window: Window) => AsyncIterable<Found>)>;
