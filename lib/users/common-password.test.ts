import { expect, test } from "vitest";
import { isCommonPassword } from "@/lib/users/common-password";

test.each([
  "qwertyuiop12",
  "PASSWORD1234",
  "1q2w3e4r5t6y",
  "senha1234567",
  "flamengo2026",
  "!!!brasil!!!!",
  "123456789012",
])("%s is a common password, alone or lengthened at its ends", async (password) =>
  expect(await isCommonPassword(password)).toBe(true),
);

test("a password of a few repeated characters is common", async () => {
  expect(await isCommonPassword("aaaaaaaaaaaaaaaa")).toBe(true);
  expect(await isCommonPassword("abababababab")).toBe(true);
});

test.each(["cavalo bateria grampo", "Xk4-trem-azul-91", "minhasenha e o mar", "8472 9150 3361 2204"])(
  "%s is one's own",
  async (password) => {
    expect(await isCommonPassword(password)).toBe(false);
  },
);
