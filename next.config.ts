import type { NextConfig } from "next";
import { hardening } from "./lib/http/hardening";

const security = {
  ...hardening,
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "strict-origin-when-cross-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
};

const config: NextConfig = {
  poweredByHeader: false,
  skipTrailingSlashRedirect: true,
  images: { unoptimized: true }, // Next's image route would fetch our internal addresses
  typescript: { ignoreBuildErrors: true }, // `npm test` checks types, once and with everything else
  serverExternalPackages: ["@node-rs/argon2", "nodemailer", "pg", "pino", "prom-client", "undici"],
  // Otherwise Next loads all routes at the start, also those of the API, which the host answers (lib/http/host.ts).
  experimental: { preloadEntriesOnStart: false },
  turbopack: {
    root: import.meta.dirname,
    // Messages are compiled once on the server (lib/locale/texts.ts), so no browser downloads an ICU parser.
    resolveAlias: { "use-intl/format-message": "use-intl/format-message/format-only" },
  },
  // Addresses from before they carried the account lead to the same page of the account that was last open.
  rewrites: async () => [
    {
      source:
        "/:page(home|transactions|charges|credentials|products|payment-links|refunds|withdrawals|disputes|subscriptions|subscribers|splits|invite|statement|public-key|webhooks|events|clock|settings|privacy|audit)/:rest*",
      destination: "/old",
    },
  ],
  headers: async () => [
    // The card fields and the checkout set their own headers; shops may frame the card fields.
    { source: "/((?!fields$|checkout/).*)", headers: Object.entries(security).map(([key, value]) => ({ key, value })) },
    // The addresses of these pages may hold the secret of a link. A later entry wins.
    ...["/:page(sign-in|sign-up|confirm|forgot|reset|invite|join)/:rest*", "/:account/invite/:secret"].map(
      (source) => ({
        source,
        headers: [{ key: "Referrer-Policy", value: "no-referrer" }],
      }),
    ),
  ],
};

export default config;
