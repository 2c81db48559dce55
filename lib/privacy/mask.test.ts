import { expect, test } from "vitest";
import { maskDocument, maskEmail, maskMembers, maskPhone, maskText } from "@/lib/privacy/mask";

test.each([
  [maskDocument, "52998224725", "*********25"],
  [maskDocument, "529.982.247-25", "***.***.***-25"],
  [maskDocument, "12.ABC.345/01DE-35", "**.***.***/****-35"],
  [maskDocument, "25", "**"],
  [maskPhone, "11987654321", "*******4321"],
  [maskPhone, "+351912345678", "+********5678"],
  [maskPhone, "4321", "****"],
  [maskEmail, "ana.prado@example.com", "a***@example.com"],
  [maskEmail, "a@example.com", "a***@example.com"],
  [maskText, "no", "no"],
  [maskText, "de Ana <ana@example.com>, 529.982.247-25", "de Ana <a***@example.com>, ***.***.***-25"],
  [maskText, "1,52998224725,+55 11 98765-4321", "1,*********25,+** ** *****-4321"],
  [maskText, "11.222.333/0001-81", "**.***.***/****-81"],
  [maskText, "52998224726 is no CPF, nor are 529982247251 and a52998224725", expect.stringContaining("52998224726")],
])("%o masks %j", (mask, text, masked) => {
  expect(mask(text)).toEqual(masked);
});

/** A code of a key that is a phone, and one of an e-mail. */
const CODE = "00020126360014br.gov.bcb.pix0114+551198765432101111loja@example.com6304ABCD";

test("members are masked by their names and texts by their form, however deep, and nothing else changes", () => {
  const day = new Date(0);
  const answer = {
    ...{ id: "0192f0c1-7b5e-7000-8000-000000000001", amount: "10.00", count: 3, none: null, day },
    customer: { name: "Ana", email: "ana@example.com", document: "52998224725", phone: "1133334444" },
    changes: [{ name: "phone", before: null, after: "11987654321" }],
    data: { clientPhone: { before: "1133334444", after: "11987654321" } },
    request_body: '{"client":{"document":"1","phone":"11987654321"}}',
    response_body: 'got {"phone":"11987654321',
    ...{ pix_code: CODE, paymentCode: CODE },
  };
  expect(maskMembers(answer)).toEqual({
    ...{ id: answer.id, amount: "10.00", count: 3, none: null, day },
    customer: { name: "Ana", email: "a***@example.com", document: "*********25", phone: "******4444" },
    changes: [{ name: "phone", before: null, after: "*******4321" }],
    data: { clientPhone: { before: "******4444", after: "*******4321" } },
    request_body: '{"client":{"document":"*","phone":"*******4321"}}',
    response_body: 'got {"phone":"*******4321',
    ...{ pix_code: CODE, paymentCode: CODE },
  });
});
