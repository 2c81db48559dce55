import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { hasLeft, unpaid } from "@/components/transactions/queries";
import { useAction } from "@/components/ui/action";
import { toast } from "@/components/ui/toast";

/** Has the simulated PSP pay or expire a deposit of the sandbox, and is pending until that is seen. */
export function useSimulation(id: string) {
  const t = useTranslations("deposits");
  const api = useApi();
  const simulation = useAction({
    async act(deed: "pay" | "expire") {
      await api.post(`/api/partner/v1/sandbox/pix/${id}/${deed}`);
      return { deed, isSeen: await hasLeft(api, id, deed === "pay" ? unpaid : ["pending"]) };
    },
    refresh: [api.account, "transactions"],
    onDone: ({ deed, isSeen }) => toast(t(isSeen ? `simulated.${deed}` : "simulated.late")),
  });
  const { isPending, variables: deed } = simulation;
  return { ...simulation, isPaying: isPending && deed === "pay", isExpiring: isPending && deed === "expire" };
}
