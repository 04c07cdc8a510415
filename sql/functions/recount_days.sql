-- Makes all daily counters (day_counters) from the rows that exist now: after rows were written
-- without triggers. Holds up writers meanwhile, so that none of them is counted twice or missed.
create or replace function recount_days() returns void language plpgsql as $$
begin
  lock table day_counters in exclusive mode;
  delete from day_counters;
  insert into day_counters (counter, day, domain, detail, slot, amount)
  select 'statuses'::day_counter, snowflake_day(s.id), coalesce(a.domain, ''), '', 0, count(*)
  from statuses s join accounts a on a.id = s.account_id
  group by 2, 3
  union all
  select 'deleted_statuses'::day_counter, snowflake_day(s.id), a.domain, '', 0, count(*)
  from statuses s join accounts a on a.id = s.account_id
  where not s.local and a.domain is not null and s.deleted_at is not null
  group by 2, 3
  union all
  select 'languages'::day_counter, snowflake_day(s.id), a.domain, coalesce(s.language, ''), 0, count(*)
  from statuses s join accounts a on a.id = s.account_id
  where not s.local and a.domain is not null and s.deleted_at is null and s.reblog_of_id is null
  group by 2, 3, 4
  union all
  select 'accounts'::day_counter, snowflake_day(a.id), a.domain, '', 0, count(*) from accounts a where a.domain is not null group by 2, 3
  union all
  select 'follows'::day_counter, (f.created_at at time zone 'UTC')::date, a.domain, '', 0, count(*)
  from follows f join accounts a on a.id = f.target_account_id
  where a.domain is not null
  group by 2, 3
  union all
  select 'followers'::day_counter, (f.created_at at time zone 'UTC')::date, a.domain, '', 0, count(*)
  from follows f join accounts a on a.id = f.account_id
  where a.domain is not null
  group by 2, 3
  union all
  select 'interactions'::day_counter, did.day, '', '', 0, count(*)
  from (
    select (f.created_at at time zone 'UTC')::date as day
    from favourites f join accounts a on a.id = f.account_id where a.domain is null
    union all
    select (f.created_at at time zone 'UTC')::date
    from follows f join accounts a on a.id = f.account_id where a.domain is null
    union all
    select min((v.created_at at time zone 'UTC')::date)
    from poll_votes v join accounts a on a.id = v.account_id where a.domain is null
    group by v.poll_id, v.account_id
    union all
    select snowflake_day(s.id) from statuses s
    where s.local and (s.reblog_of_id is not null or s.in_reply_to_account_id <> s.account_id)
  ) did
  group by did.day
  union all
  select counted.counter, counted.day, counted.domain, '', 0, count(*)
  from reports r cross join lateral report_counters(r) counted
  group by 1, 2, 3
  union all
  select counted.counter, counted.day, '', counted.detail, 0, count(*)
  from users u cross join lateral user_counters(u) counted
  group by 1, 2, 4
  union all
  select 'registrations'::day_counter, (u.created_at at time zone 'UTC')::date, '', '', 0, count(*) from users u group by 2
  union all
  select 'active_users'::day_counter, d.day, '', coalesce((d.day - d.previous)::text, ''), 0, count(*)
  from (select x.day, lag(x.day) over (partition by x.user_id order by x.day) as previous from active_days x) d
  group by d.day, d.previous;
end
$$;
