import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { gate } from "@/lib/batch";
import { AppError } from "@/lib/errors";

/** A hash keeps a core busy for some 30 ms: half of the cores are left for everything else. */
const WIDTH = Math.max(1, Math.floor(availableParallelism() / 2));
/** Some three seconds of hashing on one core; nobody waits for more. */
const WAITING = 100;

const enter = gate(WIDTH, WAITING, () => new AppError("unavailable"));

/** The argon2id hash of a password. Throws `unavailable` when too many wait for theirs. */
export const hashPassword = (password: string) => enter(() => hash(password));

/** Whether a password is the one of this hash. Throws `unavailable` when too many wait for theirs. */
export const isPassword = (passwordHash: string, password: string) => enter(() => verify(passwordHash, password));
