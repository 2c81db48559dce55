-- A UUIDv7 of this moment (RFC 9562). A statement that waited for a row makes its event's id after the wait, and the
-- twelve bits after the version hold the part of the millisecond (section 6.2, method 3), so that the ids of one sale's
-- events are in the order in which they happened.
create function new_id() returns uuid language plpgsql volatile as $$
declare
  us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  return encode(overlay(uuid_send(gen_random_uuid()) placing
    int8send((us / 1000) << 16 | 28672 | (us % 1000) * 4096 / 1000) from 1 for 8), 'hex')::uuid;
end $$;
