/** Headers of every answer: browsers use only TLS and trust the content type. next.config.ts reads them too. */
export const hardening = {
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
};
