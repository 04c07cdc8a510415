-- Adds uses of hashtags to the counters of their days, or subtracts them (change: 1 or -1): all by
-- server and language; those in statuses that everybody may find also by account.
--
-- An account counts once on each day (tag_account_days), by the number of days since its use before
-- (tag_use_days). The distinct accounts of a period are then the sum of those who did not use the
-- hashtag earlier in it. A day that is added between two others changes the distance of the later
-- one. Figures of accounts are shown for 14 days: what is older does not matter, and a distance of
-- 14 stands for greater ones.
create or replace function count_tags(used status_tags[], change integer) returns void language plpgsql as $$
declare
  author record;
begin
  if used = '{}' then
    return;
  end if;
  insert into tag_server_days as c (tag_id, day, domain, language, slot, uses)
  select x.tag_id, snowflake_day(x.status_id), coalesce(a.domain, ''), coalesce(x.language, ''), pg_backend_pid(), change * count(*)
  from unnest(used) x
  left join accounts a on a.id = x.account_id
  where x.counted
  group by 1, 2, 3, 4
  on conflict on constraint tag_server_days_pkey do update set uses = c.uses + excluded.uses;

  -- One account and day after the other: each sees the days that were counted before it.
  for author in
    select x.account_id as id, snowflake_day(x.status_id) as day, array_agg(x.tag_id) as tags
    from unnest(used) x
    where x.listed and x.account_id is not null
      and x.status_id >= first_snowflake(midnight((now() at time zone 'UTC')::date - 14))
    group by 1, 2
    order by 1, 2
  loop
    with given as (
      select t.tag_id, change * count(*) as uses from unnest(author.tags) t (tag_id) group by t.tag_id order by t.tag_id
    ), counted as (
      insert into tag_account_days as d (tag_id, account_id, day, uses)
      select given.tag_id, author.id, author.day, given.uses from given
      on conflict on constraint tag_account_days_pkey do update set uses = d.uses + excluded.uses
      returning d.tag_id, d.uses
    ), changed as (
      select
        given.tag_id, given.uses, counted.uses = greatest(given.uses, 0) as turned, author.day - before.day as since, after.day - author.day as until
      from given
      join counted on counted.tag_id = given.tag_id
      cross join lateral (
        select max(d.day) as day from tag_account_days d
        where d.tag_id = given.tag_id and d.account_id = author.id and d.day < author.day and d.uses > 0
      ) before
      cross join lateral (
        select min(d.day) as day from tag_account_days d
        where d.tag_id = given.tag_id and d.account_id = author.id and d.day > author.day and d.uses > 0
      ) after
    )
    insert into tag_use_days as c (tag_id, day, distance, slot, uses, accounts)
    select one.tag_id, one.day, one.distance, pg_backend_pid(), sum(one.uses), sum(one.accounts)
    from (
      select
        changed.tag_id, author.day, case when changed.turned then least(coalesce(changed.since, 14), 14) else 0 end as distance,
        changed.uses, case when changed.turned then change else 0 end as accounts
      from changed
      union all
      select changed.tag_id, author.day + changed.until, least(changed.until, 14), 0, change
      from changed
      where changed.turned and changed.until is not null
      union all
      select changed.tag_id, author.day + changed.until, least(coalesce(changed.since + changed.until, 14), 14), 0, -change
      from changed
      where changed.turned and changed.until is not null
    ) one
    group by 1, 2, 3
    having sum(one.uses) <> 0 or sum(one.accounts) <> 0
    on conflict on constraint tag_use_days_pkey do update set uses = c.uses + excluded.uses, accounts = c.accounts + excluded.accounts;
  end loop;
end
$$;
