import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { ListPage } from "@/components/list/source";
import { fileNameOf } from "@/lib/account-documents/limits";
import type { AccountDocument } from "@/lib/account-documents/schema";
import type { NoteBody, Notes } from "@/lib/account-notes/schema";
import type { AccountChangeBody, AccountRail, SellerAccount } from "@/lib/accounts/schema";
import type { AdjustmentBodySent } from "@/lib/adjustments/schema";
import type { SellersPeople } from "@/lib/approvals/schema";
import type { SellerWithBalance as SellerDetail, SellerMeta } from "@/lib/dashboard/schema";
import type { RefusalBody } from "@/lib/reviews/schema";

export type { SellerAccount, SellerDetail, SellerMeta };
export type SellerStatus = SellerAccount["status"];
export type SellerPage = ListPage<SellerAccount> & {
  meta: { total: number; total_is_exact: boolean; counts: Partial<Record<SellerStatus | "all", number>> };
};

type SellerAnswer = { data: SellerDetail; meta: SellerMeta };

const PATH = "/api/operator/v1/accounts";
/** The staff's calls name no account. */
const api = apiOf(null);

/** The key of all queries about sellers. */
export const SELLERS = [null, "sellers"];

export const sellerQuery = (id: string) =>
  queryOptions({
    queryKey: [...SELLERS, "detail", id],
    queryFn: ({ signal }) => api.get<SellerAnswer>(`${PATH}/${id}`, {}, signal),
  });

export const changeSeller = (id: string, change: AccountChangeBody) =>
  api.patch<{ data: SellerAccount }>(`${PATH}/${id}`, change);

export const chooseRail = (id: string, rail: AccountRail) => api.put(`${PATH}/${id}/rail`, rail);

export const adjustBalance = (id: string, adjustment: AdjustmentBodySent) =>
  api.post(`${PATH}/${id}/adjustments`, adjustment);

export const downloadDocument = (id: string, document: AccountDocument) =>
  api.download(`${PATH}/${id}/documents/${document.id}`, {}, fileNameOf(document));

export const acceptDocument = (id: string, document: string) => api.post(`${PATH}/${id}/documents/${document}/accept`);

export const refuseDocument = (id: string, document: string, body: RefusalBody) =>
  api.post(`${PATH}/${id}/documents/${document}/refuse`, body);
export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: [...SELLERS, "notes", id],
    queryFn: ({ signal }) => api.get<Notes>(`${PATH}/${id}/notes`, {}, signal),
  });

export const writeNote = (id: string, body: NoteBody) => api.post(`${PATH}/${id}/notes`, body);

export const peopleQuery = (id: string) =>
  queryOptions({
    queryKey: [...SELLERS, "people", id],
    queryFn: ({ signal }) => api.get<SellersPeople>(`${PATH}/${id}/people`, {}, signal),
  });

const resetOf = (id: string, person: string) => `${PATH}/${id}/people/${person}/second-factor-reset` as const;
export const askFactorReset = (id: string, person: string) => api.post(resetOf(id, person));
export const approveFactorReset = (id: string, person: string) => api.post(`${resetOf(id, person)}/approve`);
