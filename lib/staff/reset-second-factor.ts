import { PLATFORM } from "@/lib/ledger/chart";
import { changeStaff, type OfStaff } from "@/lib/staff/change";
import { resetFactor } from "@/lib/users/second-factor";

/**
 * Removes the second factor that a person of the staff has lost: their sessions end, and they set up another one after the
 * password. Throws as `changeStaff` does, and `second_factor_missing`.
 */
export const resetStaffFactor = (input: OfStaff) =>
  changeStaff(input, async (tx, { id }) => {
    await resetFactor(tx, { userId: id, accountId: PLATFORM });
    return { message: "Segundo fator removido." };
  });
