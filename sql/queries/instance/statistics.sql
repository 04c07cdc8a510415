-- statistics: the published figures of the instance. Counted at most once in three minutes by each
-- process.
-- active: distinct users of the last four weeks, and of the last 24
-- rows: one
-- plan: sequential scans of users, accounts and their counters, at most once in three minutes a
--   process
select
  (
    select count(*)::integer from users u join accounts a on a.id = u.account_id
    where u.confirmed_at is not null and a.suspended_at is null
  ) as user_count,
  (
    select coalesce(sum(s.statuses_count), 0)::float8 from account_stats s join accounts a on a.id = s.account_id
    where a.domain is null
  ) as status_count,
  (
    select count(*)::integer from (
      select a.domain from accounts a where a.domain is not null
      union select b.domain from domain_blocks b
      union select d.domain from domain_allows d
    ) known
  ) as domain_count,
  (select count(*)::integer from users u where u.last_active_at > now() - interval '28 days') as active_month,
  (select count(*)::integer from users u where u.last_active_at > now() - interval '168 days') as active_half_year
