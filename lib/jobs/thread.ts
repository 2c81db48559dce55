import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { MessageChannel, Worker, type WorkerOptions } from "node:worker_threads";
import { log } from "@/lib/log";

const START_AGAIN_MS = 1_000;
/** A thread that computes answers late; nothing waits longer for it. */
const ANSWER_WITHIN_MS = 1_000;

/**
 * Runs a file as a thread until it is stopped. The file says when it runs, and ends itself when it gets `{stop: true}`.
 * A fault that ends it is logged, and it is started again, because what it had begun waits in rows. Throws what the first
 * start throws.
 */
export async function keepThread(file: URL, options: WorkerOptions) {
  let isStopping = false;
  let current = open();
  await once(current.thread, "message");
  void keepRunning();

  function open() {
    const thread = new Worker(file, options);
    thread.on("error", (error) => log.error({ error }, "the worker's thread failed"));
    return { thread, ended: new Promise((done) => thread.once("exit", done)) };
  }
  async function keepRunning() {
    while (!isStopping) {
      await current.ended;
      await sleep(START_AGAIN_MS, undefined, { ref: false });
      if (!isStopping) current = open();
    }
  }
  return {
    send: (message: object) => current.thread.postMessage(message),
    /** Sends what the thread answers. Resolves to undefined where no answer comes in time. */
    async ask(message: object): Promise<unknown> {
      const { port1: answers, port2: to } = new MessageChannel();
      const answer = new Promise((done) => answers.once("message", done));
      current.thread.postMessage({ ...message, to }, [to]);
      const first = await Promise.race([answer, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
      answers.close();
      return first;
    },
    async stop() {
      isStopping = true;
      current.thread.postMessage({ stop: true });
      await current.ended;
    },
  };
}
