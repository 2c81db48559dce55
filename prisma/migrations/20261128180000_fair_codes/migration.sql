-- Takes slots of a limit that several owners share, and of a lender where it has some to spare, all in one statement: an owner may
-- hold so many times as many as are still free. Who asks at once is served in rounds of one. Each owner's are counted in a slot of its own.
create function take_fair_slots(slot text, allowed int, lender text, lendable int, times_free int, owners text[], wanted int[],
  out granted int[], out wait_ms int[])
language plpgsql as $$
declare
  -- What one slot can count, which is no limit here.
  countless constant int := 1048575;
  room int;
  lent int;
  free int;
  before int;
  total int;
  next_ms int;
  held int;
  held_ms int;
  own int[] := '{}';
begin
  -- Whoever takes holds this row first, so nothing that is read here changes until all is taken.
  select left_over, more_in_s * 1000 into room, next_ms from take_slots(slot, allowed, 0);
  select left_over into lent from take_slots(lender, lendable, 0);
  free := room + lent;
  granted := array_fill(0, array[cardinality(owners)]);
  wait_ms := array_fill(next_ms, array[cardinality(owners)]);
  if free = 0 then
    return;
  end if;

  for i in 1 .. cardinality(owners) loop
    own[i] := 0;
    -- To count those of an owner that never took any would write its slot.
    if exists (select from rate_limits where key = owners[i]) then
      select countless - left_over, more_in_s * 1000 into held, held_ms from take_slots(owners[i], countless, 0);
      own[i] := held;
      wait_ms[i] := held_ms;
    end if;
  end loop;
  loop
    before := free;
    for i in 1 .. cardinality(owners) loop
      if granted[i] < wanted[i] and own[i] + granted[i] < times_free * free then
        granted[i] := granted[i] + 1;
        free := free - 1;
      end if;
    end loop;
    exit when free = before;
  end loop;

  total := room + lent - free;
  perform take_slots(slot, allowed, least(total, room));
  if total > room then
    perform take_slots(lender, lendable, total - room);
  end if;
  for i in 1 .. cardinality(owners) loop
    if granted[i] > 0 then
      perform take_slots(owners[i], countless, granted[i]);
    end if;
    -- Who holds its share waits for its own first one to go, and who found none free for anybody's.
    if free = 0 then
      wait_ms[i] := next_ms;
    end if;
  end loop;
end $$;
