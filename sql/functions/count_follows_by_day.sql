-- A trigger of follows: counts new and ended follows between servers by the domain of the other
-- side, and new ones by local accounts as interactions of the day.
create or replace function count_follows_by_day() returns trigger language plpgsql as $$
declare
  change integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select counted.counter, (f.created_at at time zone 'UTC')::date, counted.domain, '', pg_backend_pid(), count(*) * change
  from changed f
  join accounts follower on follower.id = f.account_id
  join accounts followed on followed.id = f.target_account_id
  cross join lateral (
    select 'follows'::day_counter as counter, followed.domain where followed.domain is not null
    union all
    select 'followers', follower.domain where follower.domain is not null
    union all
    select 'interactions', '' where follower.domain is null and change = 1
  ) counted
  group by 1, 2, 3
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$$;
