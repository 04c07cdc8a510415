-- A trigger of users: keeps the daily counters of users (user_counters). Registrations are counted
-- once and for all: later deletions do not change them.
create or replace function count_users() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform count_by_day('registrations', (new.created_at at time zone 'UTC')::date, 1);
  end if;
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select moved.counter, moved.day, '', moved.detail, pg_backend_pid(), sum(moved.amount)
  from (
    select former.*, -1 as amount from user_counters(old) former
    union all
    select present.*, 1 from user_counters(new) present
  ) moved
  group by moved.counter, moved.day, moved.detail
  having sum(moved.amount) <> 0
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount;
  return null;
end
$$;
