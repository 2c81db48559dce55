import type { Metadata } from "next";
import { getTranslations } from "@/lib/locale/texts";
import type { Namespace } from "@/messages";

type Key<N extends Namespace> = Parameters<Awaited<ReturnType<typeof getTranslations<N>>>>[0];

/** A page's `generateMetadata`: its title is this text of the catalogue. */
export const titled =
  <const N extends Namespace>(namespace: N, key: Key<N>) =>
  async (): Promise<Metadata> => {
    const t: unknown = await getTranslations(namespace);
    return { title: (t as (key: Key<N>) => string)(key) };
  };
