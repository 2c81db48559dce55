import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ReviewedSubject, StaffSubject, Timeline, TimelineSubject } from "@/lib/timeline/schema";

/** The record whose timeline it is. */
export type TimelineOf = { subject: TimelineSubject | StaffSubject; id: string };
/** The same of a seller's record that the staff decides about. */
export type ReviewedTimelineOf = { subject: ReviewedSubject; id: string; seller: string };

/** The first part of the keys of each noun's queries, with which its timeline is read again after a change. */
const keys: Record<TimelineOf["subject"], string> = {
  transaction: "transactions",
  refund: "refunds",
  withdrawal: "withdrawals",
  dispute: "disputes",
  subscription: "subscriptions",
  payment_link: "payment-links",
  product: "products",
  webhook: "webhooks",
  account: "sellers",
  mail: "mails",
  provider: "pix-providers",
};

/** A record's timeline, for the server that hydrates its page and for the browser alike; the staff's have no account. */
export const timelineQuery = (account: string | null, { subject, id }: TimelineOf) =>
  queryOptions({
    queryKey: [account, keys[subject], "timeline", id],
    queryFn: ({ signal }) => {
      const base = account === null ? "/api/operator/v1" : "/api/dashboard/v1";
      return apiOf(account).get<Timeline>(`${base}/timeline/${subject}/${id}`, {}, signal);
    },
  });

/** The timeline of a seller's record, for the staff that decides about it. */
export const reviewedTimelineQuery = ({ seller, subject, id }: ReviewedTimelineOf) =>
  queryOptions({
    queryKey: [null, keys[subject], "timeline", seller, subject, id],
    queryFn: ({ signal }) =>
      apiOf(null).get<Timeline>(`/api/operator/v1/accounts/${seller}/timeline/${subject}/${id}`, {}, signal),
  });
