import { decimal } from "@/lib/money";

/** What the form holds; the amount in cents. */
export type DepositValues = {
  amount: number;
  description: string;
  withClient: boolean;
  client: Record<"name" | "cpf" | "email" | "phone", string>;
};

export const emptyDeposit: DepositValues = {
  amount: 0,
  description: "",
  withClient: false,
  client: { name: "", cpf: "", email: "", phone: "" },
};

/** The request's body. Empty fields are left out. */
export function depositBody({ amount, description, withClient, client }: DepositValues) {
  const known = present(client);
  return {
    amount: decimal(amount),
    ...present({ description }),
    ...(withClient && Object.keys(known).length > 0 && { client: known }),
  };
}

const present = (members: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value.trim() !== ""));
