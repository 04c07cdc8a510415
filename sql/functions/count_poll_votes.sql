-- A trigger of poll_votes: counts the ballots of local accounts as interactions of the day, one for
-- all choices that are made together.
create or replace function count_poll_votes() returns trigger language plpgsql as $$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'interactions', (v.created_at at time zone 'UTC')::date, '', '', pg_backend_pid(), count(distinct (v.poll_id, v.account_id))
  from created v
  join accounts a on a.id = v.account_id and a.domain is null
  group by 2
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$$;
