/** Headers of every answer to a browser: it shall use TLS alone, and believe the content type. next.config.ts reads them too. */
export const hardening = {
  "strict-transport-security": "max-age=63072000; includeSubDomains",
  "x-content-type-options": "nosniff",
};
