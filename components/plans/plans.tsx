"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { useOrder } from "@/components/plans/order";
import { plansOf } from "@/components/plans/queries";
import { PlanRow } from "@/components/plans/row";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Empty } from "@/components/ui/state";

const Editor = lazyWindow(() => import("@/components/plans/editor").then((module) => module.PlanEditor));

/** A product's plans in their order. */
export function Plans({ productId, mayAdd, curl }: { productId: string; mayAdd: boolean; curl: string }) {
  const t = useTranslations("plans");
  const result = useQuery(plansOf(useApi().account, productId));
  const { data: plans = [], meta } = result.data ?? {};
  const order = useOrder(productId, plans);
  const mayOrder = useMay("plans:write") && plans.length > 1 && meta?.total === plans.length; // all of them, or none
  const [adding, setAdding] = useState(false);
  const add = (look: "primary" | "secondary") =>
    mayAdd && (
      <Button look={look} size={look === "primary" ? "normal" : "small"} onClick={() => setAdding(true)}>
        <Plus aria-hidden="true" />
        {t("new")}
      </Button>
    );
  return (
    <Section title={t("title")} aside={plans.length > 0 && add("secondary")}>
      <Loaded result={result} skeleton={<RowsSkeleton rows={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty action={add("primary")} curl={curl}>
              {t("empty")}
            </Empty>
          ) : (
            <>
              <ul ref={order.list} className="border-b">
                {data.map((plan, place) => (
                  <PlanRow
                    key={plan.token}
                    productId={productId}
                    plan={plan}
                    place={place}
                    count={data.length}
                    order={mayOrder ? order : undefined}
                  />
                ))}
              </ul>
              <p role="status" className="sr-only">
                {order.said}
              </p>
            </>
          )
        }
      </Loaded>
      {adding && <Editor productId={productId} onClose={() => setAdding(false)} />}
    </Section>
  );
}
