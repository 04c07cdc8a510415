-- A trigger of favourites: counts those by local accounts as interactions of the day.
create or replace function count_favourites() returns trigger language plpgsql as $$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'interactions', (f.created_at at time zone 'UTC')::date, '', '', pg_backend_pid(), count(*)
  from created f
  join accounts a on a.id = f.account_id and a.domain is null
  group by 2
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$$;
