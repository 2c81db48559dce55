/**
 * What a step of a simulated payout is: `half` returns the half of its amount, `rest` what is left of it, `repeat` reports it
 * once more, and `forget` has the PSP know nothing of it any more.
 */
export type PayoutStep = "pay" | "fail" | "half" | "rest" | "repeat" | "forget";

/**
 * How a payout to a certain key goes: what the directory says of the key, what becomes of the request, and what follows by
 * itself, a step every few seconds. `late` is an answer after the client's patience, `never` none.
 */
export type SandboxKey = {
  says: string;
  owner?: "nobody" | "another";
  request?: "unheard" | "late" | "never";
  begins?: "paid" | "failed";
  steps?: readonly PayoutStep[];
};

/**
 * The keys of a sandbox, of the type e-mail, by which a developer chooses how a withdrawal ends. The reference of the interface lists them.
 * A payout to any other key is accepted, and waits for whoever confirms it or has it fail.
 */
export const sandboxKeys = {
  "paid@psp.example": { says: "paid at once", begins: "paid" },
  "paid-later@psp.example": { says: "accepted, and paid some seconds later", steps: ["pay"] },
  "failed@psp.example": { says: "not made", begins: "failed" },
  "failed-later@psp.example": { says: "accepted, and not made some seconds later", steps: ["fail"] },
  "unknown@psp.example": { says: "a key that nobody has", owner: "nobody" },
  "another@psp.example": { says: "a key of somebody else's document", owner: "another" },
  "late@psp.example": { says: "paid, and answered after 9 seconds", request: "late", begins: "paid" },
  "silent@psp.example": {
    says: "paid, and never answered; the provider knows it when asked",
    request: "never",
    begins: "paid",
  },
  "unheard@psp.example": { says: "never answered nor made; the provider does not know it", request: "unheard" },
  "forgotten@psp.example": { says: "accepted and paid, and then unknown to the provider", steps: ["pay", "forget"] },
  "lost-record@psp.example": { says: "accepted, and then unknown to the provider", steps: ["forget"] },
  "twice@psp.example": { says: "paid, and reported three times", begins: "paid", steps: ["repeat", "repeat"] },
  "failed-then-paid@psp.example": {
    says: "not made, and paid some seconds later all the same",
    begins: "failed",
    steps: ["pay"],
  },
  "returned@psp.example": { says: "paid, and returned whole some seconds later", begins: "paid", steps: ["rest"] },
  "returned-in-parts@psp.example": { says: "paid, and returned in two parts", begins: "paid", steps: ["half", "rest"] },
  "half-returned@psp.example": { says: "paid, and a half of it returned", begins: "paid", steps: ["half"] },
} as const satisfies Record<string, SandboxKey>;
