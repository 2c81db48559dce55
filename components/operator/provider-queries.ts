import { queryOptions } from "@tanstack/react-query";
import { apiOf } from "@/components/api";
import type { CallbackState, Provider, ProviderBodySent, ProviderChangesSent } from "@/lib/providers/schema";

export type { Provider };

const PATH = "/api/operator/v1/pix-providers";
/** The staff's calls name no account. */
const api = apiOf(null);

/** The key of all queries about PSPs. */
export const PROVIDERS = [null, "pix-providers"];

export const providersQuery = queryOptions({
  queryKey: [...PROVIDERS, "list"],
  queryFn: ({ signal }) => api.get<{ data: Provider[] }>(PATH, {}, signal),
});

export const providerQuery = (name: string) =>
  queryOptions({
    queryKey: [...PROVIDERS, "detail", name],
    queryFn: ({ signal }) => api.get<{ data: Provider }>(`${PATH}/${name}`, {}, signal),
  });

/** Asks the PSP, so it is read only when its record is shown. */
export const callbackQuery = (name: string) =>
  queryOptions({
    queryKey: [...PROVIDERS, "callback", name],
    queryFn: ({ signal }) => api.get<CallbackState>(`${PATH}/${name}/callback`, {}, signal),
  });

export const replaceAddress = (name: string) => api.post<{ data: Provider }>(`${PATH}/${name}/callback`);
export const connectProvider = (body: ProviderBodySent) => api.post<{ data: Provider }>(PATH, body);
export const changeProvider = (name: string, changes: ProviderChangesSent) =>
  api.put<{ data: Provider }>(`${PATH}/${name}`, changes);
