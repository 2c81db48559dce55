import { useApi } from "@/components/account";
import { useAction } from "@/components/ui/action";

/** Has the simulated PSP pay or expire a deposit of the sandbox, then reads its outcome. */
export function useSimulation(id: string) {
  const api = useApi();
  return useAction({
    act: (act: "pay" | "expire") => api.post(`/api/partner/v1/sandbox/pix/${id}/${act}`),
    refresh: [api.account, "transactions"],
  });
}
