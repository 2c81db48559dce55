import type { QueryKey } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { z } from "zod";
import { Hydrated, type Searched } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { requireStaff } from "@/lib/auth/session";
import type { Namespace } from "@/messages";

type Report<Q extends z.ZodType> = {
  texts: readonly Namespace[];
  /** The API's schema of what the page's address asks; what it refuses is as if nothing was asked. */
  filters: Q;
  /** What the browser would ask for. */
  query: (asked: z.output<Q>) => { queryKey: QueryKey };
  read: (asked: z.output<Q>) => Promise<unknown>;
  shows: ComponentType<{ asked: z.output<Q> }>;
};

/** A page of figures of the operator's console. */
export const staffReportPage = <Q extends z.ZodType>({ texts, filters, query, read, shows: Shown }: Report<Q>) =>
  async function StaffReportPage({ searchParams }: Searched) {
    const person = await requireStaff();
    const address = filters.safeParse(await searchParams);
    const asked = address.success ? address.data : filters.parse({});
    return (
      <Texts of={texts}>
        <Hydrated for={person} reads={[[query(asked), () => read(asked)]]}>
          <Shown asked={asked} />
        </Hydrated>
      </Texts>
    );
  };
