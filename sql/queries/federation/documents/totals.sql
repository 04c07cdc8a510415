-- totals: the numbers of statuses, followers and followed accounts of an account.
-- $1 account bigint
-- rows: one
-- plan: no sequential scan
select
  coalesce(s.statuses_count, 0)::integer as statuses, coalesce(s.followers_count, 0)::integer as followers,
  coalesce(s.following_count, 0)::integer as following
from (select) one
left join account_stats s on s.account_id = $1
