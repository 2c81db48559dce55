import type { AccountContext } from "@/lib/accounts/context";
import { forAccount } from "@/lib/db";
import { type Intent, once } from "@/lib/idempotency";
import { endRequest } from "@/lib/profile-requests/end";

/** Takes a request back before it is decided. Throws as `endRequest` does. */
export const cancelRequest = ({ id: accountId }: AccountContext, { id }: { id: string }, { idem }: Intent) =>
  forAccount(accountId, (tx) =>
    once(tx, idem, async () => ({ data: (await endRequest(tx, { accountId, id }, "cancel")).after })),
  );
