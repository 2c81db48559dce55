import { z } from "zod";
import { CursorMeta, CursorQuery, PageQuery, pageOf } from "@/lib/lists/pagination";
import { period } from "@/lib/lists/period";
import { time } from "@/lib/time/schema";
import { Amount } from "@/lib/typed/amount";
import { optionalText } from "@/lib/typed/fields";
import { keyOf } from "@/lib/withdrawals/pix-key";
import { withdrawalActions } from "@/lib/withdrawals/states";
import { Mode, PixKeyType, StopScope, WithdrawalStatus } from "@/prisma/client/enums";

const keyFaults: Record<PixKeyType, string> = {
  CPF: "Chave Pix inválida: informe um CPF com 11 dígitos.",
  CNPJ: "Chave Pix inválida: informe um CNPJ com 14 letras e dígitos.",
  EMAIL: "Chave Pix inválida: informe um e-mail com até 77 caracteres.",
  PHONE: "Chave Pix inválida: informe um telefone do Brasil com DDD, como +5511987654321.",
  EVP: "Chave Pix inválida: informe uma chave aleatória, como 123e4567-e89b-42d3-a456-426614174000.",
};

/** A word in any case. */
const word = (error: string) =>
  z
    .string({ error })
    .max(20)
    .transform((text) => text.trim().toUpperCase());

const NO_KEY_TYPE = "Informe o tipo da chave Pix: CPF, CNPJ, EMAIL, PHONE ou EVP.";
const NO_DOCUMENT_TYPE = "Informe CPF ou CNPJ.";
const KeyType = word(NO_KEY_TYPE).pipe(z.enum(PixKeyType, { error: NO_KEY_TYPE }));
const DocumentType = word(NO_DOCUMENT_TYPE).pipe(z.enum(["CPF", "CNPJ"], { error: NO_DOCUMENT_TYPE }));
const keyText = z.string({ error: "Informe a chave Pix." }).max(140);

const isKey = ({ pix_key_type, pix_key }: Typed) => keyOf(pix_key_type, pix_key) !== undefined;
const faultOf = ({ pix_key_type }: Typed) => keyFaults[pix_key_type];
/** A key with its type, as it was typed. */
const Typed = z.object({ pix_key_type: z.enum(PixKeyType), pix_key: z.string() });
type Typed = z.output<typeof Typed>;
const isTyped = (value: unknown) => Typed.safeParse(value).success;

/** The CPF or CNPJ of a key's owner, without punctuation. */
const OwnerDocument = z
  .object({ type: DocumentType, number: z.string({ error: "Informe o documento." }).max(60) })
  .transform(({ type, number }, context) => {
    const value = keyOf(type, number);
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", path: ["number"], message: `${type} inválido. Confira os dígitos.` });
    return z.NEVER;
  });

/** POST /cash-out. `amount` becomes cents, `pix_key` and `document` are as the rail writes them. */
export const CashOutBody = z
  .object({
    amount: Amount,
    description: optionalText(140),
    pix_key_type: KeyType,
    pix_key: keyText,
    document: OwnerDocument,
    external_id: optionalText(255),
  })
  // A key is judged beside the other members, so that each fault is told at once.
  .refine(isKey, {
    path: ["pix_key"],
    when: ({ value }) => isTyped(value),
    error: ({ input }) => faultOf(input as Typed),
  })
  .transform((body) => ({ ...body, pix_key: keyOf(body.pix_key_type, body.pix_key) ?? "" }));
export type CashOutBody = z.output<typeof CashOutBody>;
/** The same as it is sent. */
export type CashOutSent = z.input<typeof CashOutBody>;

export const CashOut = z.object({ message: z.string(), reference_id: z.uuid() });

/** GET /pix-keys/owner */
export const KeyOwnerQuery = z.object({ type: KeyType, key: keyText }).transform(({ type, key: pix_key }, context) => {
  const key = keyOf(type, pix_key);
  if (key === undefined) context.addIssue({ code: "custom", path: ["key"], message: keyFaults[type] });
  return { type, key: key ?? "" };
});
export type KeyOwnerQuery = z.output<typeof KeyOwnerQuery>;

/** Whose a key is, by the rail; null where it tells nobody. Of the document only the middle is shown. */
export const KeyOwner = z.object({
  data: z.object({
    ...{ type: z.enum(PixKeyType), key: z.string() },
    ...{ name: z.string().nullable(), document: z.string().nullable() },
  }),
});
export type KeyOwner = z.output<typeof KeyOwner>;

const amount = z.number().meta({ description: "Reais, at most two decimals", example: 19.99 });
const timeOrNull = time.nullable();

export const Withdrawal = z.object({
  reference_id: z.uuid(),
  status: z.enum(WithdrawalStatus),
  status_label: z.string(),
  amount,
  fee: amount,
  total: amount,
  /** What of the amount came back after it was paid. */
  returned_amount: amount,
  currency: z.literal("BRL"),
  description: z.string().nullable(),
  external_id: z.string().nullable(),
  pix_key_type: z.enum(PixKeyType),
  pix_key: z.string(),
  document: z.string(),
  owner_name: z.string().nullable().meta({ description: "Whose the key is; null where the provider tells nobody" }),
  end_to_end_id: z.string().nullable(),
  failure_reason: z.string().nullable(),
  created_at: time,
  /** Until when a second person can approve it; null where none has to. */
  lapses_at: timeOrNull,
  approved_at: timeOrNull,
  sent_at: timeOrNull,
  accepted_at: timeOrNull,
  paid_at: timeOrNull,
  failed_at: timeOrNull,
  cancelled_at: timeOrNull,
  returned_at: timeOrNull,
  /** What came back of it, the oldest first. */
  returns: z.array(z.object({ return_id: z.string(), amount, reason: z.string().nullable(), created_at: time })),
  /** What its account may do with it in this status. */
  allowed_actions: z.array(z.enum(withdrawalActions)),
});
export type Withdrawal = z.output<typeof Withdrawal>;

export const WithdrawalAnswer = z.object({ data: Withdrawal });
export type WithdrawalAnswer = z.output<typeof WithdrawalAnswer>;

export const WithdrawalQuery = CursorQuery.extend({
  /** `open` is every one that has not ended. */
  status: z.enum([...Object.values(WithdrawalStatus), "open"]).optional(),
  ...period,
});
export type WithdrawalQuery = z.output<typeof WithdrawalQuery>;

export const WithdrawalPage = z.object({ data: z.array(Withdrawal), meta: CursorMeta });
export type WithdrawalPage = z.output<typeof WithdrawalPage>;

/**
 * GET /api/dashboard/v1/withdrawals/terms: what a person has and may take out now, what one costs and what limits it, in reais: in
 * one, what is left of the local day and, at night, of the night, and of what may go out in 24 hours while something is new.
 */
export const WithdrawalTerms = z.object({
  available: amount,
  ...{ fee: amount, limit: amount, day_limit: amount, day_left: amount },
  ...{ night_limit: amount, night_left: amount, is_night: z.boolean() },
  ...{ new_key_limit: amount, new_key_left: amount },
  /** Above it another person of the team has to approve; null where never. */
  approval_above: amount.nullable(),
  /** Whether the person's password, second factor or access is new. */
  is_new: z.boolean(),
  /** Since when the operator stopped the payouts; null where it has not. */
  stopped_since: timeOrNull,
  /** Whether the PSP that would send says whose a key is before it sends; null where none would. */
  shows_owner: z.boolean().nullable(),
  /** Who was paid before, the latest first; known is a key to which money arrived a day ago or before. */
  payees: z.array(
    Withdrawal.pick({ pix_key_type: true, pix_key: true, document: true, owner_name: true }).extend({
      is_known: z.boolean(),
    }),
  ),
});
export type WithdrawalTerms = z.output<typeof WithdrawalTerms>;

/** All that the dashboard shows of one beside its timeline, for the person who looks at it. */
export const WithdrawalDetail = Withdrawal.extend({
  /** The person's or the credential's name; null of one who is gone. */
  asked_by: z.object({ name: z.string().nullable(), is_mine: z.boolean() }),
  approved_by: z.string().nullable(),
  /** Whether this person may approve or refuse it. */
  may_decide: z.boolean(),
  /** Whether the operator has stopped its payouts. */
  is_stopped: z.boolean(),
  payer: z.object({ name: z.string(), document: z.string() }),
});
export type WithdrawalDetail = z.output<typeof WithdrawalDetail>;

/** Why the operator's staff gives up a withdrawal. */
export const GiveUpBody = z.object({
  reason: z.string().trim().min(1, "Escreva ao vendedor por que o saque não foi concluído.").max(500),
});
export type GiveUpBody = z.output<typeof GiveUpBody>;

/** GET /api/operator/v1/withdrawals: those of which the rail does not say how they ended. */
export const WaitingQuery = PageQuery.extend({ mode: z.enum(Mode).default("live") });
export type WaitingQuery = z.output<typeof WaitingQuery>;

/** A withdrawal that needs a person, with whose it is, and since when its rail owes an answer or, if it was accepted, its end. */
export const WaitingWithdrawal = z.object({
  withdrawal: Withdrawal,
  account: z.object({ id: z.uuid(), name: z.string(), mode: z.enum(Mode) }),
  is_accepted: z.boolean(),
  since: time,
});
export type WaitingWithdrawal = z.output<typeof WaitingWithdrawal>;
export const WaitingPage = pageOf(WaitingWithdrawal);

/** One of any seller for who decides about it. */
export const StaffWithdrawal = WaitingWithdrawal.pick({ withdrawal: true, account: true });
export type StaffWithdrawal = z.output<typeof StaffWithdrawal>;

/** Where the operator stops payouts. The target is the rail's name or the account's id, empty for all. */
const Place = z.object({ scope: z.enum(StopScope), target: z.string().max(60).toLowerCase().default("") });
type Place = z.output<typeof Place>;

const isPlace = ({ scope, target }: Place) =>
  scope === "all"
    ? target === ""
    : scope === "account"
      ? z.uuid().safeParse(target).success
      : /^[a-z][\w-]*$/.test(target);
const NO_PLACE = { path: ["target"], error: "Informe o provedor ou a conta; para tudo, deixe vazio." };

/** DELETE /api/operator/v1/payout-stops */
export const PlaceOfStop = Place.refine(isPlace, NO_PLACE);
export type PlaceOfStop = z.output<typeof PlaceOfStop>;

/** POST /api/operator/v1/payout-stops */
export const StopBody = Place.extend({
  reason: z.string().trim().min(1, "Escreva por que os saques são parados.").max(500),
}).refine(isPlace, NO_PLACE);
export type StopBody = z.output<typeof StopBody>;
/** The same as it is sent. */
export type StopBodySent = z.input<typeof StopBody>;

/** A place where payouts are stopped, with who stopped them. */
export const PayoutStop = Place.extend({
  reason: z.string(),
  account_name: z.string().nullable(),
  stopped_by: z.string(),
  created_at: time,
});
export type PayoutStop = z.output<typeof PayoutStop>;
export const PayoutStops = z.object({ data: z.array(PayoutStop) });

/** GET /api/operator/v1/payouts: where payouts are stopped, the rails there are, and what was asked for and is not sent yet. */
export const Payouts = z.object({
  stops: z.array(PayoutStop),
  rails: z.array(z.string()),
  waiting: z.array(z.object({ provider: z.string(), account_id: z.uuid(), count: z.int(), amount: z.string() })),
});
export type Payouts = z.output<typeof Payouts>;
