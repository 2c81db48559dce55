/** The largest file of a defence in bytes, how many there are of one, and the types that are accepted, by their bytes. */
export const MAX_EVIDENCE_BYTES = 5_000_000;
export const MAX_EVIDENCE = 5;
/** The longest text of a defence. */
export const MAX_DEFENCE = 5_000;
