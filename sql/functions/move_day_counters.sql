-- Moves what an account of another server was counted by each day (day_counters) to the domain of
-- another one. Reports are counted by their own trigger, the account itself by its deletion.
create or replace function move_day_counters(source bigint, target bigint) returns void language sql as $$
  insert into day_counters as c (counter, day, domain, detail, slot, amount)
  select counted.counter, counted.day, place.domain, counted.detail, pg_backend_pid(), sum(counted.amount * place.sign)
  from (
    select 'statuses'::day_counter as counter, snowflake_day(s.id) as day, '' as detail, 1 as amount from statuses s where s.account_id = source
    union all
    select 'deleted_statuses', snowflake_day(s.id), '', 1 from statuses s where s.account_id = source and not s.local and s.deleted_at is not null
    union all
    select 'languages', snowflake_day(s.id), coalesce(s.language, ''), 1 from statuses s
    where s.account_id = source and not s.local and s.deleted_at is null and s.reblog_of_id is null
    union all
    select 'follows', (f.created_at at time zone 'UTC')::date, '', 1 from follows f where f.target_account_id = source
    union all
    select 'followers', (f.created_at at time zone 'UTC')::date, '', 1 from follows f where f.account_id = source
  ) counted
  cross join (
    select a.domain, case a.id when source then -1 else 1 end as sign from accounts a where a.id in (source, target)
  ) place
  where (select count(distinct lower(a.domain)) from accounts a where a.id in (source, target)) = 2
  group by counted.counter, counted.day, place.domain, counted.detail
  on conflict on constraint day_counters_pkey do update set amount = c.amount + excluded.amount
$$;
