import { log } from "@/lib/log";
import { lookAtEach } from "@/lib/outside/looks";
import { askAbout } from "@/lib/outside/watch";
import { compareAt, payingRails } from "@/lib/withdrawals/differences";
import { PAYOUT } from "@/lib/withdrawals/payout-watch";

/** The callback of a change this young may still be on its way. */
const YOUNG_MS = 20_000;

/**
 * Loop: replaces callbacks about payouts that never arrived. It looks at each rail once a minute (`lookAtEach`) and asks about
 * every payout of ours whose end or return is not as we have it. Returns whether more is due.
 */
export async function lookAtPayouts(): Promise<boolean> {
  const rails = new Map(payingRails().map((provider) => [`payouts of ${provider}`, provider]));
  await lookAtEach([...rails.keys()], YOUNG_MS, async function* (name, since, until) {
    const provider = rails.get(name) ?? "";
    for await (const { differences, readUntil } of compareAt(provider, since, until)) {
      const [known, foreign] = [
        differences.filter(({ withdrawal }) => withdrawal),
        differences.filter(({ withdrawal }) => !withdrawal),
      ];
      for (const { payout, detail } of foreign) log.error({ provider, id: payout.id, detail }, "a payout is not ours");
      await askAbout(
        PAYOUT,
        provider,
        known.map(({ payout }) => ({ id: payout.id })),
      );
      yield readUntil;
    }
  });
  return false;
}
