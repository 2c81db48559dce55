import { type FeeField, methodNames, methods } from "@/lib/methods/methods";
import type { FeeSchedule } from "@/lib/money";
import type { Account } from "@/prisma/client/client";
import type { TransactionMethod } from "@/prisma/client/enums";

/** An account's fee schedule of a method. */
export function feeOfAccount(account: Account, method: TransactionMethod): FeeSchedule {
  const { field } = methods[method].fee;
  return {
    basisPoints: account[`${field}BasisPoints`],
    fixed: account[`${field}Fixed`],
    minimum: account[`${field}Minimum`],
  };
}

type Columns = Record<`${FeeField}${"BasisPoints" | "Fixed" | "Minimum"}`, number>;

/** The columns of an account in which the fee schedules of all methods stand. */
export const feeColumns = (feeOf: (method: TransactionMethod) => Record<keyof FeeSchedule, number>): Columns =>
  Object.fromEntries(
    methodNames.flatMap((name) => {
      const { field } = methods[name].fee;
      const { basisPoints, fixed, minimum } = feeOf(name);
      return [
        [`${field}BasisPoints`, basisPoints],
        [`${field}Fixed`, fixed],
        [`${field}Minimum`, minimum],
      ];
    }),
  ) as Columns;
