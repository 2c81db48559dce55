import { expect, test } from "vitest";
import { pemsIn } from "@/components/operator/pem";

const block = (name: string, body: string) => `-----BEGIN ${name}-----\n${body}\n-----END ${name}-----`;
const [one, two, key] = [block("CERTIFICATE", "QQ=="), block("CERTIFICATE", "Qg=="), block("PRIVATE KEY", "Qw==")];

test.each([
  ["a certificate alone", one, one, ""],
  [
    "a key before the chain, with attributes around them",
    `Bag Attributes\n${key}\nsubject=x\n${one}\n${two}\n`,
    `${one}\n${two}`,
    key,
  ],
  ["a key of another name", block("RSA PRIVATE KEY", "Qw=="), "", block("RSA PRIVATE KEY", "Qw==")],
  ["no PEM", "MIIC", "", ""],
])("%s is read from a file", (_, text, certificates, read) => {
  expect(pemsIn(text)).toEqual({ certificates, key: read });
});
