import { prisma, type Query } from "@/lib/db";
import { sha256 } from "@/lib/ids";
import { limitKey } from "@/lib/net/address";

type From = { userId: string; ip: string; userAgent: string };

const networkMark = (ip: string) => new Uint8Array(sha256(`network ${limitKey(ip)}`));
const marksOf = ({ ip, userAgent }: From) => [networkMark(ip), new Uint8Array(sha256(`browser ${userAgent}`))];

/** Whether a person has signed in from this network before. */
export const isKnownNetwork = async (userId: string, ip: string): Promise<boolean> =>
  (await prisma().knownDevice.count({ where: { userId, mark: networkMark(ip) } })) > 0;

/**
 * Keeps from where a person signs in. Returns whether they did before, but neither from this network nor with this browser.
 */
export async function noteDevice(query: Query, from: From): Promise<boolean> {
  const [noted] = await query<{ earlier: number; known: number }>("note_device", NOTE, [from.userId, marksOf(from)]);
  return noted !== undefined && noted.earlier > 0 && noted.known === 0;
}

const NOTE = `with known as (select mark from known_devices where user_id = $1::uuid), noted as (
    insert into known_devices (user_id, mark) select $1::uuid, unnest($2::bytea[])
    on conflict (user_id, mark) do update set seen_at = now()
  )
  select count(*)::int as earlier, (count(*) filter (where mark = any($2::bytea[])))::int as known from known`;
