import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";

/** In a sandbox: says how the simulated provider ends the refund, which approves it where nobody has. */
export function Simulate({ code, mayFail }: { code: string; mayFail: boolean }) {
  const t = useTranslations("refunds.simulate");
  const api = useApi();
  const end = useAction({
    act: (how: "complete" | "fail") => api.post(`/api/partner/v1/sandbox/refunds/${code}/${how}`),
    done: t("done"),
    refresh: [api.account],
  });
  const { isPending, variables } = end;
  return (
    <>
      <Button look="quiet" busy={isPending && variables === "complete"} onClick={() => end.mutate("complete")}>
        {t("complete")}
      </Button>
      {mayFail && (
        <Button look="quiet" busy={isPending && variables === "fail"} onClick={() => end.mutate("fail")}>
          {t("fail")}
        </Button>
      )}
    </>
  );
}
