"use client";
import { useQueryClient } from "@tanstack/react-query";
import { type CSSProperties, type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { plansOf } from "@/components/plans/queries";
import { useAction } from "@/components/ui/action";
import type { Plan, PlanPage } from "@/lib/plans/schema";

/** Rows as they were when one was grabbed, in the document's coordinates. */
type Grabbed = { from: number; y: number; rows: { top: number; height: number }[] };
/** Where the grabbed row is: how far from its place, and whose place it would take. */
type Drag = { from: number; to: number; by: number; height: number };

export type Order = ReturnType<typeof useOrder>;

/** The order of a product's plans, which is changed by dragging a row's handle, by keys on it, and by buttons. */
export function useOrder(productId: string, plans: readonly Plan[]) {
  const { move, step, said } = useMove(productId, plans);
  const list = useRef<HTMLUListElement>(null);
  const grabbed = useRef<Grabbed>(undefined);
  const [drag, setDrag] = useState<Drag>();

  function grab(from: number, { currentTarget, button, pointerId, clientY }: PointerEvent) {
    if (button !== 0) return;
    currentTarget.setPointerCapture(pointerId);
    const rows = [...(list.current?.children ?? [])].map((row) => {
      const { top, height } = row.getBoundingClientRect();
      return { top: top + window.scrollY, height };
    });
    grabbed.current = { from, y: clientY + window.scrollY, rows };
  }
  function dragTo({ clientY }: PointerEvent): Drag | undefined {
    if (!grabbed.current) return undefined;
    const { from, y, rows } = grabbed.current;
    const by = clientY + window.scrollY - y;
    const middleOf = (place: number) => (rows[place]?.top ?? 0) + (rows[place]?.height ?? 0) / 2;
    const to = rows.filter((_, place) => place !== from && middleOf(place) < middleOf(from) + by).length;
    return { from, to, by, height: rows[from]?.height ?? 0 };
  }
  function release() {
    grabbed.current = undefined;
    setDrag(undefined);
  }
  const tokenAt = (place: number) => plans[place]?.token ?? "";
  const handle = (place: number) => ({
    onPointerDown: (event: PointerEvent) => grab(place, event),
    onPointerMove: (event: PointerEvent) => setDrag(dragTo(event)),
    onPointerUp(event: PointerEvent) {
      const drop = dragTo(event); // what is drawn may be a move behind
      if (drop) move(tokenAt(drop.from), () => drop.to);
      release();
    },
    onPointerCancel: release,
    onKeyDown(event: KeyboardEvent) {
      if (event.key === "Escape") release();
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault(); // the page would scroll
      step(tokenAt(place), event.key === "ArrowUp" ? -1 : 1);
    },
  });
  return { list, said, step, handle, isDragged: (place: number) => drag?.from === place, styleOf: styleAt(drag) };
}

/** Where a row is shown while one is dragged: the dragged one follows the pointer, and the others make room for it. */
const styleAt =
  (drag: Drag | undefined) =>
  (place: number): CSSProperties | undefined => {
    if (!drag) return undefined;
    const { from, to, by, height } = drag;
    if (place === from) return { transform: `translateY(${by}px)` };
    const room = place > from && place <= to ? -height : place < from && place >= to ? height : 0;
    return { transform: `translateY(${room}px)`, transition: "transform 150ms ease-out" };
  };

/** Moves a plan to another place: shown and announced at once, saved in one call, and read again when all are saved. */
function useMove(productId: string, plans: readonly Plan[]) {
  const t = useTranslations("plans");
  const api = useApi();
  const client = useQueryClient();
  const [said, setSaid] = useState("");
  const save = useAction({
    act: (tokens: string[]) => api.put(`/api/partner/v1/products/${productId}/subscription-plans/order`, { tokens }),
    refresh: [api.account, "plans", productId],
    inTurn: `order of ${productId}`,
  });
  const { queryKey } = plansOf(api.account, productId);
  /** Keys may come faster than rows are drawn, so that what is drawn may be a move behind. */
  function move(token: string, placeFrom: (place: number) => number) {
    const data = [...(client.getQueryData(queryKey)?.data ?? plans)];
    const from = data.findIndex((plan) => plan.token === token);
    const to = placeFrom(from);
    const plan = data[from];
    if (!plan || !data[to] || from === to) return;
    data.splice(to, 0, ...data.splice(from, 1));
    client.setQueryData<PlanPage>(queryKey, (page) => page && { ...page, data });
    setSaid(t("movedTo", { name: plan.name, place: to + 1, count: data.length }));
    save.mutate(data.map(({ token }) => token));
  }
  const step = (token: string, by: -1 | 1) => move(token, (place) => place + by);
  return { move, step, said };
}
