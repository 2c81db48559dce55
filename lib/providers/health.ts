import { NO_FIGURES, readFigures, readHealth } from "@/lib/outside/health";
import type { HealthQuery } from "@/lib/outside/schema";
import { listProviders } from "@/lib/providers/read";
import type { RailsHealth } from "@/lib/providers/schema";
import { everyAcquirer } from "@/lib/rails/cards/acquirers";
import { everyRail } from "@/lib/rails/pix/rails";

/** Every rail with its figures, the PSPs first, and how each kind of call was answered in the last hour or day. */
export async function readRails(query: HealthQuery): Promise<RailsHealth> {
  const [health, figures, { data: connected }] = await Promise.all([readHealth(query), readFigures(), listProviders()]);
  const known = new Set(connected.map(({ name }) => name));
  const others = new Set([...everyAcquirer(), ...everyRail()].map(({ provider }) => provider));
  const rails = [
    ...connected.map(({ name, title, is_default, certificate }) => ({
      ...{ provider: name, title, is_connected: true, is_default },
      certificate_ends_at: certificate?.ends_at ?? null,
    })),
    ...[...others].filter((name) => !known.has(name)).map(ours),
  ];
  return { ...health, rails: rails.map((rail) => ({ ...rail, ...(figures.get(rail.provider) ?? NO_FIGURES) })) };
}

/** A rail that is there without the staff: a simulator has one name for Pix and cards. */
const ours = (provider: string) => ({
  ...{ provider, title: null, is_connected: false, is_default: false, certificate_ends_at: null },
});
