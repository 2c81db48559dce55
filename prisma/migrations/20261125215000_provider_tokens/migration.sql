-- OAuth tokens of providers, sealed by the vault, so that all processes share one and only one of them asks for the next.
create table "provider_tokens" (
  "provider" text not null,
  "sealed_token" bytea,
  "claimed_until" timestamptz(6) not null,
  constraint "provider_tokens_pkey" primary key ("provider")
);
