import { limits } from "@/lib/limits";

/**
 * Every error that a caller can receive: code → [status, text]. The text is for people, in Portuguese; the code is for
 * programs and never changes. Codes in `plain` are answered with the text alone.
 */
export const errors = {
  invalid_json: [400, "O corpo não é um JSON válido. Confira aspas, vírgulas e chaves."],
  invalid_path: [400, "O endereço contém caracteres que não podem ser lidos."],
  unauthorized: [401, "Não autenticado. Envie um token de acesso válido."],
  invalid_public_key: [401, "Chave pública inválida."],
  invalid_client: [401, "Credenciais inválidas. Confira o client_id e o client_secret."],
  card_refused: [402, "O cartão foi recusado. Peça ao cliente outro cartão ou que fale com o banco."],
  antifraud_refused: [402, "A cobrança foi recusada por segurança."],
  public_origin_refused: [403, "Chave pública ou origem não autorizada."],
  https_required: [403, "Use HTTPS: dados de cartão não podem passar por uma conexão sem criptografia."],
  origin_not_allowed: [403, "Esta ação só pode ser feita a partir do próprio painel."],
  ip_not_allowed: [403, "Esta credencial não pode ser usada a partir deste endereço de IP."],
  step_up_required: [403, "Confirme que é você para continuar."],
  second_factor_required: [403, "Configure o segundo fator antes de continuar."],
  second_factor_wrong: [403, "O código não confere. Digite o que o aplicativo mostra agora."],
  insufficient_scope: [403, "Esta credencial não tem permissão para esta operação."],
  feature_disabled: [403, "Este recurso não está habilitado para a sua conta."],
  account_not_approved: [422, "Sua conta ainda não foi aprovada. Aguarde a aprovação ou use o ambiente de testes."],
  account_suspended: [403, "Esta conta está suspensa. Fale com o suporte."],
  account_closed: [403, "Esta conta foi encerrada: ela pode ser consultada, e nada mais é feito nela."],
  not_found: [404, "Recurso não encontrado."],
  account_not_found: [404, "Conta não encontrada."],
  transaction_not_found: [404, "Transação não encontrada."],
  credential_not_found: [404, "Credencial não encontrada."],
  webhook_not_found: [404, "Webhook não encontrado."],
  provider_not_found: [404, "Provedor não encontrado."],
  provider_exists: [409, "Já há um provedor com este nome."],
  provider_not_reached: [422, "O provedor não foi alcançado. Confira o endereço da API."],
  provider_answers_otherwise: [
    422,
    "O provedor não respondeu como a API Pix manda. Confira o endereço da API e o perfil.",
  ],
  provider_is_another: [422, "É outro provedor: conecte-o ao lado deste, que ainda recebe os códigos abertos."],
  provider_gave_no_token: [422, "O endereço do token não deu um token. Confira o endereço."],
  provider_client_refused: [422, "O provedor não reconhece este cliente. Confira o client ID e o client secret."],
  provider_client_connected: [422, "Este cliente do provedor já está conectado."],
  provider_secret_needed: [422, "Informe o client secret de novo: ele irá a outro endereço."],
  provider_not_permitted: [
    422,
    "O provedor não deixa este cliente criar cobranças ou ler pagamentos. Confira os escopos e o que ele liberou.",
  ],
  provider_refused: [422, "O provedor recusou uma cobrança de um centavo. Confira a chave Pix."],
  provider_certificate_refused: [
    422,
    "O provedor encerrou a conexão. Ele aceita só o certificado que registrou para este cliente: confira o certificado e a chave.",
  ],
  provider_certificate_ended: [422, "O certificado está vencido. Peça outro ao provedor."],
  provider_certificate_unreadable: [422, "O certificado do cliente não está em PEM."],
  provider_pair_incomplete: [422, "O certificado e a chave vão juntos."],
  provider_key_differs: [422, "Esta chave não é a deste certificado."],
  provider_key_unreadable: [422, "A chave não está em PEM, ou tem senha."],
  provider_not_trusted: [
    422,
    "O certificado do servidor do provedor não é de uma autoridade conhecida. Informe a autoridade que o assina.",
  ],
  provider_authority_unreadable: [422, "A autoridade não está em PEM."],
  provider_networks_unreadable: [422, "Use uma lista como 203.0.113.0/24, 198.51.100.7."],
  payouts_not_offered: [422, "Este provedor não envia dinheiro a chaves."],
  event_not_found: [404, "Evento não encontrado."],
  delivery_not_found: [404, "Entrega não encontrada."],
  domain_not_found: [404, "Domínio não encontrado."],
  card_not_found: [404, "Cartão não encontrado."],
  product_not_found: [404, "Produto não encontrado."],
  plan_not_found: [404, "Plano não encontrado."],
  split_not_found: [404, "Convite não encontrado."],
  payment_link_not_found: [404, "Link de pagamento não encontrado."],
  checkout_not_found: [404, "Página de pagamento não encontrada."],
  refund_not_found: [404, "Estorno não encontrado."],
  difference_not_found: [404, "Diferença não encontrada."],
  unmatched_not_found: [404, "Dinheiro sem venda não encontrado."],
  withdrawal_not_found: [404, "Saque não encontrado."],
  pix_key_not_found: [404, "Chave Pix não encontrada."],
  dispute_not_found: [404, "Contestação não encontrada."],
  evidence_not_found: [404, "Arquivo não encontrado."],
  session_not_found: [404, "Sessão não encontrada."],
  invitation_not_found: [404, "Convite para a equipe não encontrado."],
  person_not_found: [404, "Pessoa não encontrada."],
  approval_not_found: [404, "Aprovação não encontrada."],
  document_not_found: [404, "Documento não encontrado."],
  profile_request_not_found: [404, "Pedido de alteração não encontrado."],
  mail_not_found: [404, "Mensagem não encontrada."],
  clock_advance_not_found: [404, "Avanço do relógio não encontrado."],
  subscription_not_found: [404, "Assinatura não encontrada."],
  method_not_allowed: [405, "Método não permitido neste endereço."],
  link_expired: [410, "Este link já foi usado, expirou ou está incompleto. Peça outro."],
  payload_too_large: [413, "O corpo da requisição é grande demais."],
  unsupported_media_type: [415, "Envie o corpo em JSON (Content-Type: application/json)."],
  validation_failed: [422, "Os dados enviados são inválidos."],
  idempotency_key_reused: [422, "Esta Idempotency-Key já foi usada com outra requisição."],
  idempotency_in_progress: [409, "Uma requisição com esta Idempotency-Key ainda está em andamento."],
  max_cashin_without_fee: [422, "O valor passa do limite max_cashin_without_fee desta conta, que ainda não tem taxas."],
  amount_below_minimum: [422, "O valor é menor que o mínimo aceito."],
  proration_above_maximum: [
    422,
    "A diferença dos dias que restam passa do maior valor de uma cobrança. Escolha outro plano, ou mude mais perto da próxima cobrança.",
  ],
  plan_not_on_sale: [422, "Este plano não aceita novas assinaturas."],
  plan_mismatch: [
    422,
    "Escolha outro plano do mesmo produto e com a mesma forma de cobrança; no Pix Automático, também com o mesmo período.",
  ],
  open_charge_exists: [422, "Há uma cobrança em aberto. Espere o pagamento ou reenvie a cobrança."],
  charge_not_open: [422, "Não há cobrança em aberto que possa ser reenviada nesta situação."],
  split_exceeds_total: [422, "A soma dos repasses deve ser menor que 100%."],
  split_own_account: [422, "Um repasse não pode ser para a sua própria conta."],
  card_token_expired: [422, "O token do cartão expirou. Gere outro e tente de novo."],
  card_data_not_accepted: [422, "Não envie o número nem o CVV do cartão. Gere um token e envie só ele."],
  domain_limit_reached: [422, `Sua conta já tem ${limits.domains} domínios. Remova um deles para cadastrar outro.`],
  webhook_limit_reached: [422, `Sua conta já tem ${limits.webhooks} webhooks. Remova um deles para cadastrar outro.`],
  product_limit_reached: [422, `Sua conta já tem ${limits.products} produtos.`],
  plan_limit_reached: [422, `Sua conta já tem ${limits.plans} planos.`],
  payment_link_limit_reached: [422, `Sua conta já tem ${limits.paymentLinks} links de pagamento.`],
  split_limit_reached: [
    422,
    `Este plano já tem ${limits.splits} repasses. Cancele um deles para convidar outra pessoa.`,
  ],
  storage_limit_reached: [
    422,
    "Sua conta já guardou tudo o que pode em 30 dias. Envie menos dados em cada requisição, remova webhooks que não usa, ou peça mais espaço ao suporte.",
  ],
  webhook_disabled: [422, "Este webhook está desativado. Salve-o de novo para ativá-lo antes de reenviar."],
  replay_running: [409, "Já há um reenvio em andamento para este webhook. Espere ou pare-o antes de pedir outro."],
  webhook_rotated_too_often: [
    422,
    `Este webhook já tem ${limits.previousTokens} segredos anteriores em uso. Espere até 24 horas, ou troque com efeito imediato.`,
  ],
  webhook_url_not_allowed: [422, "Este endereço de webhook não é permitido. Use https e um domínio público."],
  second_factor_exists: [409, "O segundo fator já está configurado."],
  second_factor_missing: [422, "O segundo fator não está configurado."],
  last_owner: [422, "A conta precisa de pelo menos um proprietário. Torne outra pessoa proprietária antes."],
  email_of_seller: [422, "Este e-mail é de uma pessoa da equipe de um vendedor, que não pode ser da operação."],
  already_in_team: [422, "Esta pessoa já faz parte da equipe."],
  team_limit_reached: [422, `A equipe já tem ${limits.people} pessoas e convites.`],
  own_access: [403, "Ninguém muda o próprio acesso. Peça a outra pessoa da administração."],
  own_request: [403, "Quem pediu não pode decidir. Outra pessoa da equipe precisa aprovar."],
  DUPLICATE_CARD_TOKEN: [409, "Este token de cartão já foi usado. Gere outro para uma nova cobrança."],
  account_changed: [409, "Esta página mostra uma conta que não é de quem entrou. Nada foi feito; recarregue a página."],
  split_already_open: [
    409,
    "Este e-mail já tem um repasse neste plano. Para mudar o percentual, cancele o repasse e convide de novo.",
  ],
  clock_advance_running: [409, "O relógio desta conta já está avançando. Espere o fim e tente de novo."],
  withdrawal_under_way: [
    409,
    "O provedor ainda pode pagar este saque. Espere a resposta dele, e tente de novo mais tarde.",
  ],
  comparison_under_way: [409, "Já há uma comparação com este provedor em andamento. Espere ela terminar."],
  difference_changed: [409, "A diferença mudou desde que você a abriu. Recarregue a página e olhe de novo."],
  invalid_transition: [409, "A situação atual não permite esta ação."],
  account_not_live: [422, "Documentos, análise e encerramento são da conta de produção. Abra-a e tente de novo."],
  document_limit_reached: [422, `Sua conta já tem ${limits.documents} documentos. Fale com o suporte.`],
  review_incomplete: [422, "Ainda faltam dados ou documentos para pedir a análise."],
  profile_request_open: [409, "Já há um pedido de alteração em análise. Espere a decisão, ou cancele o pedido."],
  time_zone_fixed: [409, "Uma conta que já teve assinaturas não muda de fuso: os vencimentos mudariam de dia."],
  account_in_use: [409, "A conta ainda tem saldo ou algo em aberto. Resolva o que falta e tente de novo."],
  terms_changed: [
    409,
    "Outra pessoa mudou esta conta desde que a página foi aberta. Nada foi mudado; recarregue a página e confira.",
  ],
  checkout_expired: [409, "O prazo deste link de pagamento terminou. Peça outro à loja."],
  checkout_used_up: [409, "Este link já recebeu todos os pagamentos que podia. Nada foi cobrado."],
  checkout_paid: [409, "O código que este pagamento substituiria já foi pago. Nada mais foi cobrado."],
  checkout_busy: [409, "Outra pessoa está pagando por este link agora. Tente de novo em alguns minutos."],
  checkout_changed: [409, "O valor mudou desde que a página foi aberta. Nada foi cobrado; recarregue a página."],
  email_taken: [409, "Não foi possível criar a conta com este e-mail. Se ela já é sua, entre."],
  refund_already_open: [
    409,
    "Esta venda já tem um pedido de estorno em aberto. Espere a decisão, ou cancele o pedido.",
  ],
  refund_limit_reached: [422, `Desta venda já foram pedidos ${limits.refundsOfSale} estornos.`],
  refund_not_eligible: [
    422,
    "Só pode ser estornada uma venda paga há no máximo 90 dias, e que não foi devolvida por inteiro.",
  ],
  unmatched_amount_differs: [422, "O valor não é o da venda. Credite o dinheiro numa conta ou devolva ao pagador."],
  unmatched_mode_differs: [422, "O dinheiro e a conta não são do mesmo ambiente."],
  sale_not_payable: [
    422,
    "Esta venda não pode mais ser paga com este dinheiro: ela já foi paga, terminou ou é de outro meio.",
  ],
  refund_sale_disputed: [
    422,
    "Esta venda está em contestação, que decide sobre o dinheiro dela. Só pode ser estornada se a contestação for vencida.",
  ],
  withdrawal_limit_exceeded: [
    422,
    "O valor passa do limite de saques desta conta. Veja os limites, ou peça outro ao suporte.",
  ],
  dispute_defended: [409, "A defesa desta contestação já foi enviada, e não muda mais."],
  dispute_deadline_passed: [422, "O prazo para defender esta contestação terminou."],
  evidence_limit_reached: [422, "Uma defesa tem no máximo 5 arquivos. Exclua um para enviar outro."],
  insufficient_balance: [422, "Saldo disponível insuficiente."],
  rate_limit_exceeded: [429, "Muitas requisições. Aguarde o tempo indicado em Retry-After e tente de novo."],
  checkout_unpaid: [
    429,
    "Desta rede foram pedidos muitos códigos deste link que não foram pagos. Tente mais tarde ou por outra rede.",
  ],
  public_rate_limit_exceeded: [429, "Muitas requisições. Tente de novo em 10 minutos."],
  internal: [500, "Algo falhou do nosso lado. Tente de novo com a mesma Idempotency-Key."],
  charge_not_made: [
    503,
    "O adquirente não respondeu e nada foi cobrado. O token já foi usado: gere outro e tente de novo.",
  ],
  deposit_pending: [
    503,
    "O provedor de Pix ainda não respondeu. Repita com a mesma Idempotency-Key, ou consulte a transação: o código aparece nela.",
  ],
  deposit_not_made: [503, "O provedor de Pix não respondeu e nenhum código foi gerado. Peça uma nova cobrança."],
  rail_not_configured: [
    409,
    "Nenhum provedor está configurado para esta operação. Repetir não adianta: quem opera o sistema foi avisado e precisa configurá-lo.",
  ],
  rail_unavailable: [503, "O provedor de pagamentos não está disponível. Nada foi feito; tente de novo."],
  tracking_not_configured: [503, "Nenhum serviço de rastreamento está configurado nesta instalação."],
  unavailable: [503, "Serviço temporariamente indisponível. Tente de novo em instantes."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof errors;

/** Codes whose body is `{message}` alone. */
const plain: ReadonlySet<ErrorCode> = new Set([
  "invalid_json",
  "invalid_path",
  "unauthorized",
  "invalid_public_key",
  "public_origin_refused",
  "https_required",
  "origin_not_allowed",
  "not_found",
  "account_not_found",
  "transaction_not_found",
  "credential_not_found",
  "webhook_not_found",
  "provider_not_found",
  "event_not_found",
  "delivery_not_found",
  "domain_not_found",
  "card_not_found",
  "product_not_found",
  "plan_not_found",
  "split_not_found",
  "payment_link_not_found",
  "checkout_not_found",
  "refund_not_found",
  "difference_not_found",
  "unmatched_not_found",
  "withdrawal_not_found",
  "pix_key_not_found",
  "dispute_not_found",
  "evidence_not_found",
  "mail_not_found",
  "document_not_found",
  "profile_request_not_found",
  "subscription_not_found",
  "clock_advance_not_found",
  "method_not_allowed",
  "payload_too_large",
  "unsupported_media_type",
  "internal",
  "unavailable",
]);

/** Codes that are answered under another code. */
const publicCodes: Partial<Record<ErrorCode, ErrorCode>> = { public_rate_limit_exceeded: "rate_limit_exceeded" };

export type Faults = Record<string, string[]>;

type Options = {
  /** What is wrong with each field; of a code of its own too, where one business rule refuses one field. */
  faults?: Faults;
  action?: string;
  /** Further members of the body, as a refused charge's `refused_reason` and `identifier`. */
  details?: Record<string, string>;
  /** Whether the body has the old API's form: `{errCode, message}`. */
  isLegacy?: boolean;
  /** Whether a verb has stored this refusal under the caller's key, as it does for a refused charge. */
  isKept?: boolean;
  /** Whether nothing was done and the caller's key is free again, so that a repeat of it is a new request. */
  freesKey?: boolean;
  retryAfterMs?: number;
  allow?: string;
  /** Further headers of the answer. */
  headers?: Record<string, string>;
  cause?: unknown;
};

/** An expected failure. Anything else that reaches the edge is a bug and becomes `internal`. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly options: Options = {},
  ) {
    super(errors[code][1], { cause: options.cause });
  }
}

/** A 422 naming each field path. */
export const invalid = (faults: Faults) => new AppError("validation_failed", { faults });

/** Status and JSON body of a failure, in the one form that every route answers. */
export function errorBody({ code, options }: AppError, requestId: string) {
  const [status, text] = errors[code];
  const message = status === 500 ? `${text} (${requestId})` : text;
  if (options.faults) {
    const named = code === "validation_failed" ? {} : { error: code };
    return { status, body: { message, ...named, errors: options.faults } };
  }
  if (code === "invalid_client") return { status, body: { message, error: code, error_description: text } };
  if (options.isLegacy) return { status, body: { errCode: status, message } };
  if (plain.has(code)) return { status, body: { message } };
  const { action, details } = options;
  return { status, body: { message, error: publicCodes[code] ?? code, ...(action && { action }), ...details } };
}

/** An answer as it is sent. */
export type Answer = { status: number; body: string };

/** A failure as it is sent. */
export function renderError(error: AppError, requestId: string): Answer {
  const { status, body } = errorBody(error, requestId);
  return { status, body: JSON.stringify(body) };
}
