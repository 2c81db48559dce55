import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { actAs } from "@/lib/actor";
import { asSystem, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { certificateEnds, warnOfCertificates } from "@/lib/providers/certificates";
import { changeProvider, connectProvider } from "@/lib/providers/connect";
import { readRails } from "@/lib/providers/health";
import { readCallbackState, readProvider } from "@/lib/providers/read";
import { renewCallbacks } from "@/lib/providers/renew-callbacks";
import { replaceAddress } from "@/lib/providers/replace-address";
import { connectedRail, readProviders } from "@/lib/rails/pix/connected";
import { serveApiPix } from "@/lib/testing/api-pix";
import { lettersTo } from "@/lib/testing/mails";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { STAFF } from "@/lib/testing/refunds";
import { aStaffPerson } from "@/lib/testing/staff";
import { DAY_MS } from "@/lib/time/calendar";
import * as clock from "@/lib/time/clock";
import { readTimelineForStaff } from "@/lib/timeline/read";

/** A provider is of all accounts, so these tests have a database of their own. */
let drop: () => Promise<void>;
let psp: Awaited<ReturnType<typeof serveApiPix>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  psp = await serveApiPix();
  const { callback_secret: _, ...settings } = psp.settings;
  await actAs(STAFF, () => connectProvider({ name: "norte", title: "Banco Norte", ...settings }));
});
afterAll(async () => {
  await psp.close();
  await drop();
});
afterEach(() => vi.restoreAllMocks());

const endsAt = async () => Date.parse((await readProvider("norte")).data.certificate?.ends_at ?? "");
/** From now on it is so long before the certificate's end. */
async function leave(ms: number) {
  const at = new Date((await endsAt()) - ms);
  vi.spyOn(clock, "realNow").mockImplementation(() => at);
}

test("every rail is listed with its figures: PSPs first, with the end of their certificate, then what we simulate", async () => {
  const { rails } = await readRails({ period: "hour" });
  expect(rails).toMatchObject([
    {
      ...{ provider: "norte", title: "Banco Norte", is_connected: true, is_default: true },
      ...{ certificate_ends_at: clock.iso(new Date(await endsAt())), hour: { calls: 0 }, open: { waiting: 0 } },
    },
    { provider: "simulator", is_connected: false, certificate_ends_at: null },
  ]);
});

test("another server is not asked under a name that is taken, so that what it answers is not held against that PSP", async () => {
  const other = await serveApiPix();
  const { callback_secret: _, ...settings } = other.settings;
  other.between = async () => ({ status: 429, body: {} });
  const work = actAs(STAFF, () => connectProvider({ name: "norte", title: "Outro", ...settings }));
  await expect(work).rejects.toMatchObject({ code: "provider_exists" });
  expect(other.asked).toEqual([]);
  expect(await connectedRail("norte")?.admitCode?.(newId())).toBe(0);
  await other.close();
});

test("what we keep to ourselves is changed without a trial, and everything else with one", async () => {
  const trials = () => psp.asked.filter(({ method, path }) => method === "PUT" && path.includes("/cob/")).length;
  const before = trials();
  const change = (changes: object) => actAs(STAFF, () => changeProvider({ name: "norte", ...changes }));
  const { base_url, pix_key } = psp.settings;
  await change({
    calls_per_minute: 600,
    callback_networks: "127.0.0.1",
    callback_certificate: true,
    base_url,
    pix_key,
  });
  const unreadable = change({ callback_networks: "none" });
  await expect(unreadable).rejects.toMatchObject({ code: "provider_networks_unreadable" });
  expect(trials() - before).toBe(0);
  await expect(change({ pix_key: "outra" })).rejects.toMatchObject({ code: "provider_refused" });
  expect(trials() - before).toBe(1);
  await change({ calls_per_minute: null, callback_networks: null, callback_certificate: false });
});

test("whether the PSP calls back at our address is what it says itself, and unknown where it does not answer", async () => {
  const state = async () => (await readCallbackState("norte")).data.is_registered;
  expect(await state()).toBe(true);
  psp.webhookUrl = "https://example.com/other";
  expect(await state()).toBe(false);
  await actAs(STAFF, () => changeProvider({ name: "norte" }));
  expect(await state(), "saving registers it").toBe(true);
  psp.webhookUrl = "";
  await renewCallbacks();
  expect(await state(), "the hour's job too").toBe(true);
  psp.between = async () => undefined;
  expect(await state()).toBeNull();
  psp.between = undefined;
  await expect(readCallbackState("none")).rejects.toMatchObject({ code: "provider_not_found" });
});

describe("a new address of callbacks", () => {
  const secretAt = () => psp.webhookUrl.split("/").at(-1) ?? "";
  const takes = (secret: string) => {
    const sent = { headers: new Headers(), from: "203.0.113.7", isCertified: false, rawBody: "{}" };
    return connectedRail("norte")?.verifyCallback({ ...sent, secret }, clock.realNow()) !== null;
  };
  const replace = () => actAs(STAFF, () => replaceAddress({ name: "norte" }));

  test("is the PSP's once it is replaced, and the old one is good for nothing then", async () => {
    const old = secretAt();
    const { data } = await replace();
    expect(data.former_address_until).toBeNull();
    expect(secretAt()).not.toBe(old);
    await readProviders();
    expect([takes(old), takes(secretAt())]).toEqual([false, true]);
  });

  test("leaves the old one good until the PSP has it, a day at most, however often it is replaced", async () => {
    const old = secretAt();
    psp.between = async () => undefined;
    const { data } = await replace();
    await replace();
    expect(Date.parse(data.former_address_until ?? "") - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
    await readProviders();
    expect([secretAt(), takes(old)]).toEqual([old, true]);
    const later = new Date(Date.now() + DAY_MS + 60_000);
    const spied = vi.spyOn(clock, "realNow").mockImplementation(() => later);
    expect(takes(old), "a day later").toBe(false);
    spied.mockRestore();
    psp.between = undefined;
    await renewCallbacks();
    await readProviders();
    expect([secretAt() === old, takes(old), takes(secretAt())]).toEqual([false, false, true]);
    expect((await readProvider("norte")).data.former_address_until).toBeNull();
  });

  test("leaves an old one its own day, which no later replacement makes longer or begins anew", async () => {
    const [first, begun] = [secretAt(), Date.now()];
    const replaceAt = async (ms: number) => {
      vi.spyOn(clock, "realNow").mockImplementation(() => new Date(begun + ms));
      const { data } = await replace();
      await readProviders();
      return [Date.parse(data.former_address_until ?? "") - begun, takes(first)];
    };
    psp.between = async () => undefined;
    expect(await replaceAt(0)).toEqual([DAY_MS, true]);
    expect(await replaceAt(DAY_MS / 2)).toEqual([DAY_MS, true]);
    expect(await replaceAt(DAY_MS + 1_000), "past its day").toEqual([2 * DAY_MS + 1_000, false]);
    vi.restoreAllMocks();
    psp.between = undefined;
    await renewCallbacks();
    await readProviders();
  });

  test("is in the history, which shows that it is another and not which; settings changed meanwhile do not bring the old back", async () => {
    const old = secretAt();
    await replace();
    await actAs(STAFF, () => changeProvider({ name: "norte", calls_per_minute: 600 }));
    const { id, calls_per_minute } = (await readProvider("norte")).data;
    expect([calls_per_minute, secretAt() === old]).toEqual([600, false]);
    const { data } = await readTimelineForStaff("provider", id);
    const changed = data.map(({ title, changes }) => [title, changes.map(({ name }) => name)]);
    expect(changed.slice(0, 2)).toEqual([
      ["provider.updated", ["calls_per_minute"]],
      ["provider.updated", ["callback_secret"]],
    ]);
    expect(changed.at(-1)).toEqual(["provider.created", []]);
    expect(JSON.stringify(data)).not.toContain(secretAt());
  });
});

describe("the end of a certificate", () => {
  test("is mailed to the staff's admins 30, 7 and 1 days before, once each, and to nobody else", async () => {
    const [admin, support] = [await aStaffPerson(["admin"]), await aStaffPerson(["support", "finance"])];
    const days = async () => (await lettersTo(admin.email)).map((letter) => ("days" in letter ? letter.days : null));
    for (const [ms, mailed] of [
      [31 * DAY_MS, []],
      [30 * DAY_MS, [30]],
      [8 * DAY_MS, [30]],
      [6.5 * DAY_MS, [30, 6]],
      [DAY_MS / 2, [30, 6, 0]],
      [0, [30, 6, 0]],
    ] as const) {
      await leave(ms);
      await Promise.all([warnOfCertificates(), warnOfCertificates()]);
      expect(await days(), `${ms / DAY_MS} days before`).toEqual(mailed);
    }
    expect(await lettersTo(admin.email)).toContainEqual(
      expect.objectContaining({ template: "certificate_ending", provider: "Banco Norte" }),
    );
    expect(await lettersTo(support.email)).toEqual([]);
  });

  test("that is found late is one mail", async () => {
    await asSystem((tx) => tx.mail.deleteMany());
    const { email, userId } = await aStaffPerson(["admin"]);
    await leave(DAY_MS / 2);
    await warnOfCertificates();
    expect(await lettersTo(email)).toHaveLength(1);
    await prisma().user.update({ where: { id: userId }, data: { staffRoles: [] } });
  });

  test("is a figure that monitoring reads, negative when it is past", async () => {
    await leave(90_000);
    expect(certificateEnds()).toEqual([{ provider: "norte", seconds: 90 }]);
    await leave(-1_000);
    expect(certificateEnds()).toEqual([{ provider: "norte", seconds: -1 }]);
  });
});
