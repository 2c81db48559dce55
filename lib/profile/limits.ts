/** The zones of Brazil, from east to west. */
export const zones = ["America/Noronha", "America/Sao_Paulo", "America/Manaus", "America/Rio_Branco"] as const;

/** The states of Brazil. */
export const states = [
  ...["AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "GO", "MA", "MG", "MS", "MT", "PA", "PB", "PE", "PI", "PR"],
  ...["RJ", "RN", "RO", "RR", "RS", "SC", "SE", "SP", "TO"],
] as const;

/** What can be done with a Pix of somebody else than the sale's client. */
export const payerPolicies = ["accept", "flag", "return"] as const;
