-- Makes the daily counters of hashtags from the rows that exist now: after rows were written
-- without triggers. Holds up statuses with hashtags meanwhile, so that none of them is counted
-- twice or missed.
create or replace function recount_tags() returns void language plpgsql as $$
declare
  setting text;
begin
  lock table status_tags in share row exclusive mode;
  setting := set_config('millrace.recounting', 'on', true);
  update status_tags x set account_id = f.account_id, language = f.language, counted = f.counted, listed = f.listed
  from statuses s
  cross join lateral status_tag_facts(s.id) f
  where s.id = x.status_id
    and (x.account_id, x.language, x.counted, x.listed) is distinct from (f.account_id, f.language, f.counted, f.listed);
  setting := set_config('millrace.recounting', '', true);
  delete from tag_server_days;
  delete from tag_account_days;
  delete from tag_use_days;
  insert into tag_server_days (tag_id, day, domain, language, slot, uses)
  select x.tag_id, snowflake_day(x.status_id), coalesce(a.domain, ''), coalesce(x.language, ''), 0, count(*)
  from status_tags x
  left join accounts a on a.id = x.account_id
  where x.counted
  group by 1, 2, 3, 4;
  insert into tag_account_days (tag_id, account_id, day, uses)
  select x.tag_id, x.account_id, snowflake_day(x.status_id), count(*)
  from status_tags x
  where x.listed and x.status_id >= first_snowflake(midnight((now() at time zone 'UTC')::date - 14))
  group by 1, 2, 3;
  insert into tag_use_days (tag_id, day, distance, slot, uses, accounts)
  select d.tag_id, d.day, least(coalesce(d.day - d.previous, 14), 14), 0, sum(d.uses), count(*)
  from (
    select x.tag_id, x.day, x.uses, lag(x.day) over (partition by x.tag_id, x.account_id order by x.day) as previous
    from tag_account_days x
  ) d
  group by 1, 2, 3;
end
$$;
