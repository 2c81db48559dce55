import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { CloseBody, CompareBody, Comparisons } from "@/lib/differences/schema";

const COMPARISONS = "/api/operator/v1/comparisons";
/** The staff's calls name no account. */
const api = apiOf(null);

/** The key of all queries about differences and comparisons. */
export const DIFFERENCES = [null, "differences"];

export const comparisonsQuery = queryOptions({
  queryKey: [...DIFFERENCES, "comparisons"],
  queryFn: ({ signal }) => api.get<Comparisons>(COMPARISONS, {}, signal),
});

export const compareDays = (body: CompareBody) => api.post(COMPARISONS, body);

export const closeDifference = (id: string, body: CloseBody) =>
  api.post(`/api/operator/v1/differences/${id}/close`, body);
