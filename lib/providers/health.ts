import { NO_FIGURES, readFigures, readHealth } from "@/lib/outside/health";
import type { HealthQuery } from "@/lib/outside/schema";
import { listProviders } from "@/lib/providers/read";
import type { RailState, RailsHealth } from "@/lib/providers/schema";
import { everyAcquirer } from "@/lib/rails/cards/acquirers";
import { everyRail } from "@/lib/rails/pix/rails";

/** Every rail with its figures, the PSPs first, and how each kind of call was answered in the last hour or day. */
export async function readRails(query: HealthQuery): Promise<RailsHealth> {
  const [health, figures, { data: connected }] = await Promise.all([readHealth(query), readFigures(), listProviders()]);
  const isConnected = (provider: string) => connected.some(({ name }) => name === provider);
  const rails = [
    ...connected.map(({ name, title, is_default, certificate }) => ({
      ...{ provider: name, title, method: "pix" as const, is_connected: true, is_default },
      certificate_ends_at: certificate?.ends_at ?? null,
    })),
    ...everyAcquirer().map(({ provider }) => ours(provider, "card")),
    ...everyRail()
      .filter(({ provider }) => !isConnected(provider))
      .map(({ provider }) => ours(provider, "pix")),
  ];
  return { ...health, rails: rails.map((rail) => ({ ...rail, ...(figures.get(rail.provider) ?? NO_FIGURES) })) };
}

/** A rail that is there without the staff. */
const ours = (provider: string, method: RailState["method"]) => ({
  ...{ provider, title: null, method, is_connected: false, is_default: false, certificate_ends_at: null },
});
