-- A trigger of active_days: counts the active users of each day by the number of days since the day
-- on which they were active before. The distinct users of a period are then the sum of those who
-- were not active earlier in it (administration/measures/distinct_users). A day that is added
-- between two others changes the distance of the later one.
create or replace function count_active_days() returns trigger language plpgsql as $$
begin
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select 'active_users', changed.day, '', coalesce((changed.day - changed.previous)::text, ''), pg_backend_pid(), sum(changed.amount)
  from (
    select d.day, lag(d.day) over (partition by d.user_id order by d.day) as previous, 1 as amount
    from active_days d
    where d.user_id in (select added.user_id from added)
    union all
    select d.day, lag(d.day) over (partition by d.user_id order by d.day), -1
    from active_days d
    where d.user_id in (select added.user_id from added)
      and not exists (select from added where added.user_id = d.user_id and added.day = d.day)
  ) changed
  group by changed.day, changed.previous
  having sum(changed.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$$;
