import { useApi } from "@/components/account";
import { useAction } from "@/components/ui/action";

/** Lets the simulated PSP pay or expire a charge of the sandbox, then looks at what became of it. */
export function useSimulation(id: string) {
  const api = useApi();
  return useAction({
    act: (act: "pay" | "expire") => api.post(`/api/partner/v1/sandbox/pix/${id}/${act}`),
    refresh: [api.account, "transactions"],
  });
}
