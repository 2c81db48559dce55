-- As before, and in the twelve bits after the version stands the part of the millisecond (RFC 9562, section 6.2,
-- method 3): two events of one sale within one millisecond keep their order.
create or replace function new_id() returns uuid language plpgsql volatile as $$
declare
  us bigint := floor(extract(epoch from clock_timestamp()) * 1000000);
begin
  return encode(overlay(uuid_send(gen_random_uuid()) placing
    int8send((us / 1000) << 16 | 28672 | (us % 1000) * 4096 / 1000) from 1 for 8), 'hex')::uuid;
end $$;
