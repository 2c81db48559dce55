-- A UUIDv7 (RFC 9562) of this moment. A statement that waited for a row makes its event's id after the wait, so that the
-- ids of one sale's events are in the order in which they happened.
create function new_id() returns uuid language sql volatile as $$
  select encode(set_byte(
    overlay(uuid_send(gen_random_uuid()) placing
      substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6),
    6, 112 | (get_byte(uuid_send(gen_random_uuid()), 6) & 15)), 'hex')::uuid
$$;
