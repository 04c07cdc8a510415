-- Adds an amount to a daily counter (day_counters), in the row of this connection: concurrent
-- transactions never wait for each other. Adding nothing writes nothing.
create or replace function count_by_day(
  counter day_counter, day date, amount bigint, domain text default '', detail text default ''
) returns void language plpgsql as $$
#variable_conflict use_variable
begin
  if amount <> 0 then
    insert into day_counters as c (counter, day, domain, detail, slot, amount)
    values (counter, day, domain, detail, pg_backend_pid(), amount)
    on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  end if;
end
$$;
