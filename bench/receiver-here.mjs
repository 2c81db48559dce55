// Loaded with --import into a program whose live sellers have webhooks at RECEIVER: those may name no address of this machine.
import { readFileSync } from "node:fs";
import tls from "node:tls";
import { RECEIVER } from "./receiver.mjs";

const ca = readFileSync("lib/testing/tls/authority.pem");
const { connect } = tls;
tls.connect = (options, ...rest) =>
  options.host === RECEIVER
    ? connect({ ...options, host: "127.0.0.1", servername: "localhost", ca }, ...rest)
    : connect(options, ...rest);
