import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ListPage } from "@/components/list/source";
import type { SellerMeta } from "@/lib/dashboard/schema";
import type { MailDetail, MailRecord } from "@/lib/mail/schema";

export type { MailDetail, MailRecord };
export type MailStatus = MailRecord["status"];
export type MailPage = ListPage<MailRecord> & {
  meta: {
    total: number;
    total_is_exact: boolean;
    counts: Partial<Record<MailStatus | "all", number>>;
    route: SellerMeta["route"];
  };
};

const PATH = "/api/operator/v1/mails";
/** The staff's calls name no account. */
const api = apiOf(null);
/** How often a mail that waits is read again. */
const WAITING_MS = 5_000;

/** The key of all queries about mails. */
export const MAILS = [null, "mails"];

export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: [...MAILS, "detail", id],
    queryFn: ({ signal }) => api.get<{ data: MailDetail }>(`${PATH}/${id}`, {}, signal),
    refetchInterval: ({ state }) => (state.data?.data.next_attempt_at ? WAITING_MS : false),
  });

export const retryMail = (id: string) => api.post<{ data: MailDetail }>(`${PATH}/${id}/retry`);
