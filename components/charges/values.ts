/** What the form holds; the amount in cents. */
export type ChargeValues = {
  amount: number;
  description: string;
  withClient: boolean;
  name: string;
  document: string;
  email: string;
  phone: string;
};

export const emptyCharge: ChargeValues = {
  amount: 0,
  description: "",
  withClient: false,
  name: "",
  document: "",
  email: "",
  phone: "",
};

/** Where each member of the request is shown in the form. */
export const fieldOf: Record<string, keyof ChargeValues> = {
  amount: "amount",
  description: "description",
  client: "name",
  "client.name": "name",
  "client.cpf": "document",
  "client.email": "email",
  "client.phone": "phone",
};

/** The request's body: formatted documents and phones are sent as their digits, empty fields not at all. */
export function chargeBody(values: ChargeValues) {
  const client = present({
    name: values.name.trim(),
    cpf: values.document.replace(/[^0-9A-Za-z]/g, "").toUpperCase(),
    email: values.email.trim(),
    phone: values.phone.trim().startsWith("+")
      ? `+${values.phone.replace(/\D/g, "")}`
      : values.phone.replace(/\D/g, ""),
  });
  const reais = String(values.amount).padStart(3, "0").replace(/(..)$/, ".$1");
  return {
    amount: reais,
    ...present({ description: values.description.trim() }),
    ...(values.withClient && Object.keys(client).length > 0 && { client }),
  };
}

const present = (members: Record<string, string>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));
