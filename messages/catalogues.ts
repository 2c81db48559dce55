import enAudit from "@/messages/en/audit.json";
import enAuth from "@/messages/en/auth.json";
import enCards from "@/messages/en/cards.json";
import enCheckout from "@/messages/en/checkout.json";
import enCredentials from "@/messages/en/credentials.json";
import enDeposits from "@/messages/en/deposits.json";
import enDifferences from "@/messages/en/differences.json";
import enDisputes from "@/messages/en/disputes.json";
import enEvents from "@/messages/en/events.json";
import enFields from "@/messages/en/fields.json";
import enFrame from "@/messages/en/frame.json";
import enMail from "@/messages/en/mail.json";
import enMethods from "@/messages/en/methods.json";
import enOperator from "@/messages/en/operator.json";
import enOverview from "@/messages/en/overview.json";
import enPaymentLinks from "@/messages/en/payment-links.json";
import enPeople from "@/messages/en/people.json";
import enPrivacy from "@/messages/en/privacy.json";
import enProducts from "@/messages/en/products.json";
import enProviders from "@/messages/en/providers.json";
import enRefunds from "@/messages/en/refunds.json";
import enSandbox from "@/messages/en/sandbox.json";
import enSentEvents from "@/messages/en/sent-events.json";
import enSettings from "@/messages/en/settings.json";
import enSplits from "@/messages/en/splits.json";
import enStatement from "@/messages/en/statement.json";
import enSubscriptions from "@/messages/en/subscriptions.json";
import enTracking from "@/messages/en/tracking.json";
import enTransactions from "@/messages/en/transactions.json";
import enUnmatched from "@/messages/en/unmatched.json";
import enWebhooks from "@/messages/en/webhooks.json";
import enWithdrawals from "@/messages/en/withdrawals.json";
import ptAudit from "@/messages/pt-BR/audit.json";
import ptAuth from "@/messages/pt-BR/auth.json";
import ptCards from "@/messages/pt-BR/cards.json";
import ptCheckout from "@/messages/pt-BR/checkout.json";
import ptCredentials from "@/messages/pt-BR/credentials.json";
import ptDeposits from "@/messages/pt-BR/deposits.json";
import ptDifferences from "@/messages/pt-BR/differences.json";
import ptDisputes from "@/messages/pt-BR/disputes.json";
import ptEvents from "@/messages/pt-BR/events.json";
import ptFields from "@/messages/pt-BR/fields.json";
import ptFrame from "@/messages/pt-BR/frame.json";
import ptMail from "@/messages/pt-BR/mail.json";
import ptMethods from "@/messages/pt-BR/methods.json";
import ptOperator from "@/messages/pt-BR/operator.json";
import ptOverview from "@/messages/pt-BR/overview.json";
import ptPaymentLinks from "@/messages/pt-BR/payment-links.json";
import ptPeople from "@/messages/pt-BR/people.json";
import ptPrivacy from "@/messages/pt-BR/privacy.json";
import ptProducts from "@/messages/pt-BR/products.json";
import ptProviders from "@/messages/pt-BR/providers.json";
import ptRefunds from "@/messages/pt-BR/refunds.json";
import ptSandbox from "@/messages/pt-BR/sandbox.json";
import ptSentEvents from "@/messages/pt-BR/sent-events.json";
import ptSettings from "@/messages/pt-BR/settings.json";
import ptSplits from "@/messages/pt-BR/splits.json";
import ptStatement from "@/messages/pt-BR/statement.json";
import ptSubscriptions from "@/messages/pt-BR/subscriptions.json";
import ptTracking from "@/messages/pt-BR/tracking.json";
import ptTransactions from "@/messages/pt-BR/transactions.json";
import ptUnmatched from "@/messages/pt-BR/unmatched.json";
import ptWebhooks from "@/messages/pt-BR/webhooks.json";
import ptWithdrawals from "@/messages/pt-BR/withdrawals.json";

/** Every text of every page, by language; one file a noun. */
export const catalogues = {
  "pt-BR": {
    ...ptAudit,
    ...ptAuth,
    ...ptCards,
    ...ptCheckout,
    ...ptDeposits,
    ...ptCredentials,
    ...ptDifferences,
    ...ptDisputes,
    ...ptFields,
    ...ptFrame,
    ...ptMail,
    ...ptMethods,
    ...ptOperator,
    ...ptOverview,
    ...ptPaymentLinks,
    ...ptPeople,
    ...ptPrivacy,
    ...ptProducts,
    ...ptProviders,
    ...ptRefunds,
    ...ptSandbox,
    ...ptSentEvents,
    ...ptSettings,
    ...ptSplits,
    ...ptStatement,
    ...ptSubscriptions,
    ...ptTracking,
    ...ptTransactions,
    ...ptEvents,
    ...ptUnmatched,
    ...ptWebhooks,
    ...ptWithdrawals,
  },
  en: {
    ...enAudit,
    ...enAuth,
    ...enCards,
    ...enCheckout,
    ...enDeposits,
    ...enCredentials,
    ...enDifferences,
    ...enDisputes,
    ...enFields,
    ...enFrame,
    ...enMail,
    ...enMethods,
    ...enOperator,
    ...enOverview,
    ...enPaymentLinks,
    ...enPeople,
    ...enPrivacy,
    ...enProducts,
    ...enProviders,
    ...enRefunds,
    ...enSandbox,
    ...enSentEvents,
    ...enSettings,
    ...enSplits,
    ...enStatement,
    ...enSubscriptions,
    ...enTracking,
    ...enTransactions,
    ...enEvents,
    ...enUnmatched,
    ...enWebhooks,
    ...enWithdrawals,
  },
};
