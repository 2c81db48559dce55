/** Refusals after which the same card is not tried again, because its issuer would refuse it again. */
const hard: ReadonlySet<string> = new Set(["brand_not_accepted", "expired_card", "stolen_card"]);

/** Whether a refusal is final; `reason` is the acquirer's word (`Outcome`). */
export const isHard = (reason: string): boolean => hard.has(reason);
