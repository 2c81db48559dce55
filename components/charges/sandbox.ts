import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useErrorText } from "@/components/error-text";
import { useApi } from "@/components/frame/account";
import { toast } from "@/components/ui/toast";

/** Lets the simulated rail pay or expire a charge of the sandbox, then looks at what became of it. */
export function useSimulation(id: string) {
  const api = useApi();
  const errorText = useErrorText();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (act: "pay" | "expire") => api.post(`/api/partner/v1/sandbox/pix/${id}/${act}`),
    onError: (error) => toast(errorText(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: [api.account, "transactions"] }),
  });
}
