-- Adds uses of hashtags to the counters of their days, or subtracts them (change: 1 or -1): all by
-- server and language; those in statuses that everybody may find also by account.
--
-- An account counts once on each day (tag_account_days), by the number of days since its use before
-- (tag_use_days). The distinct accounts of a period are then the sum of those who did not use the
-- hashtag earlier in it. A day that is added between two others changes the distance of the later
-- one. Figures of accounts are shown for 14 days: what is older does not matter, and a distance of
-- 14 stands for greater ones.
--
-- One row after the other, because most statuses have few hashtags: one statement for all took
-- twice as long. The caller sorts the rows, so that two transactions never wait for each other.
create or replace function count_tags(used status_tags[], change integer) returns void language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
  one status_tags;
  used_on date;
  author bigint;
  domain text;
  uses_left bigint;
  turned boolean;
  earlier date;
  later date;
begin
  foreach one in array used loop
    continue when not one.counted;
    used_on := snowflake_day(one.status_id);
    if domain is null or one.account_id is distinct from author then
      author := one.account_id;
      domain := coalesce((select a.domain from accounts a where a.id = author), '');
    end if;
    insert into tag_server_days as c (tag_id, day, domain, language, slot, uses)
    values (one.tag_id, used_on, domain, coalesce(one.language, ''), pg_backend_pid(), change)
    on conflict on constraint tag_server_days_pkey do update set uses = c.uses + change;

    continue when not one.listed or author is null or used_on < today - 14;
    insert into tag_account_days as d (tag_id, account_id, day, uses)
    values (one.tag_id, author, used_on, change)
    on conflict on constraint tag_account_days_pkey do update set uses = d.uses + change
    returning d.uses into uses_left;
    -- Nothing of an account is left when all its statuses are deleted.
    if uses_left = 0 then
      delete from tag_account_days d where d.tag_id = one.tag_id and d.account_id = author and d.day = used_on;
    end if;
    turned := uses_left = greatest(change, 0);
    earlier := null;
    later := null;
    if turned then
      select d.day into earlier from tag_account_days d
      where d.tag_id = one.tag_id and d.account_id = author and d.day < used_on and d.uses > 0
      order by d.day desc
      limit 1;
      if used_on < today then
        select d.day into later from tag_account_days d
        where d.tag_id = one.tag_id and d.account_id = author and d.day > used_on and d.uses > 0
        order by d.day
        limit 1;
      end if;
    end if;
    insert into tag_use_days as c (tag_id, day, distance, slot, uses, accounts)
    values (
      one.tag_id, used_on, case when turned then least(coalesce(used_on - earlier, 14), 14) else 0 end, pg_backend_pid(),
      change, case when turned then change else 0 end
    )
    on conflict on constraint tag_use_days_pkey do update
      set uses = c.uses + change, accounts = c.accounts + excluded.accounts;
    if later is not null then
      insert into tag_use_days as c (tag_id, day, distance, slot, uses, accounts)
      select one.tag_id, later, moved.distance, pg_backend_pid(), 0, sum(moved.accounts)
      from (
        values (least(later - used_on, 14), change), (least(coalesce(later - earlier, 14), 14), -change)
      ) moved (distance, accounts)
      group by moved.distance
      having sum(moved.accounts) <> 0
      on conflict on constraint tag_use_days_pkey do update set accounts = c.accounts + excluded.accounts;
    end if;
  end loop;
end
$$;
