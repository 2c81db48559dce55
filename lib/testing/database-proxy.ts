import { type AddressInfo, connect, createServer, type Socket } from "node:net";

type Pair = { ours: Socket; theirs: Socket; isDoomed: boolean; isMute: boolean };
type Fault = { text: string; loses: "statement" | "answer"; silently?: true; times: number };

/**
 * A proxy to the database at `url`, which passes everything on until a test breaks something. A broken connection is
 * closed properly, or reset if `resets` is set.
 */
export async function serveDatabaseProxy(url: string, { resets = false } = {}) {
  const { hostname, port } = new URL(url);
  const pairs = new Set<Pair>();
  let fault: Fault | undefined;
  let [isMute, isStandby] = [false, false];

  const destroy = ({ ours, theirs }: Pair) => {
    if (resets) ours.resetAndDestroy();
    else ours.destroy();
    theirs.destroy();
  };
  const isHit = (loses: Fault["loses"], data: Buffer) => {
    if (!fault || fault.times === 0 || fault.loses !== loses || !data.includes(fault.text)) return false;
    fault.times -= 1;
    return true;
  };

  const proxy = createServer((ours) => {
    const theirs = connect(Number(port), hostname);
    const pair: Pair = { ours, theirs, isDoomed: false, isMute: false };
    pairs.add(pair);
    ours.on("data", (data) => {
      if (isHit("statement", data)) return destroy(pair);
      pair.isDoomed ||= isHit("answer", data);
      theirs.write(data);
    });
    theirs.on("data", (data) => {
      const isLost = pair.isDoomed || isHit("answer", data);
      if (isLost && !fault?.silently) return destroy(pair);
      pair.isMute ||= isLost || isMute;
      if (pair.isMute) return;
      ours.write(isStandby && data.includes("transaction_read_only") ? asStandby(data) : data);
    });
    for (const [socket, other] of [
      [ours, theirs],
      [theirs, ours],
    ] as const) {
      socket.on("error", () => {});
      socket.on("close", () => {
        pairs.delete(pair);
        other.destroy();
      });
    }
  });
  const listen = (at: number) =>
    new Promise<void>((listening, failed) =>
      proxy.once("error", failed).listen({ port: at, host: "127.0.0.1" }, listening),
    );
  await listen(0);
  const ownPort = (proxy.address() as AddressInfo).port;
  const through = new URL(url);
  through.port = String(ownPort);
  const goAway = () => {
    proxy.close();
    for (const pair of pairs) destroy(pair);
  };
  return {
    url: through.href,
    /** The next `times` statements that contain this text never arrive, because their connections break. */
    loseStatement: (text: string, times = 1) => {
      fault = { text, loses: "statement", times };
    },
    /**
     * The next `times` statements that contain this text, or whose answer does, are executed, and their answers lost.
     */
    loseAnswer: (text: string, times = 1) => {
      fault = { text, loses: "answer", times };
    },
    /** The next statement that contains this text is executed, and its connection never answers again. */
    loseAnswerSilently: (text: string) => {
      fault = { text, loses: "answer", silently: true, times: 1 };
    },
    /** How many of the last faults have not happened yet. */
    faultsLeft: () => fault?.times ?? 0,
    /** The ports of the connections that pass here, which the server has as `client_port` of `pg_stat_activity`. */
    ports: () => [...pairs].flatMap(({ theirs }) => theirs.localPort ?? []),
    /** Every connection becomes silent, as when the server's machine is gone. New ones work. */
    goSilent: () => {
      for (const { ours, theirs } of pairs) {
        theirs.removeAllListeners("close").destroy();
        ours.removeAllListeners("data").resume();
      }
    },
    /** Nothing is answered any more, as when the server stands still: connections are accepted, and stay open. */
    fallMute: () => {
      isMute = true;
    },
    /** Whether whoever asks is told that this server is a standby. */
    demote: (to: boolean) => {
      isStandby = to;
    },
    /** Breaks every connection, and refuses new ones until `comeBack`. */
    goAway,
    comeBack: () => listen(ownPort),
    close: goAway,
  };
}

/** An answer to `show transaction_read_only` in which the server is none that takes writes; as long as before. */
function asStandby(data: Buffer): Buffer {
  return Buffer.from(data.toString("latin1").replace("\0\0\0\x03off", "\0\0\0\x03on "), "latin1");
}
