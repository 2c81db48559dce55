import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { concurrencyLimit } from "@/lib/concurrency/limit";
import { AppError } from "@/lib/errors";
import { newSecret } from "@/lib/ids";

/** How many hashes run at once. Each keeps a core busy for some 30 ms, so half of the cores are left for other work. */
const WIDTH = Math.max(1, Math.floor(availableParallelism() / 2));
/** How many callers may wait: some three seconds of hashing on one core. */
const WAITING = 100;

const enter = concurrencyLimit(WIDTH, WAITING, () => new AppError("unavailable"));

/** The argon2id hash of a password. Throws `unavailable` when too many callers wait. */
export const hashPassword = (password: string) => enter(() => hash(password));

/** The hash of a password that nobody has. */
export const noPassword = () => hashPassword(newSecret());

/** Whether a password has this hash. Throws `unavailable` when too many callers wait. */
export const isPassword = (passwordHash: string, password: string) => enter(() => verify(passwordHash, password));
