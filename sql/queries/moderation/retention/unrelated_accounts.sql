-- unrelated_accounts: reads a batch of the accounts of other servers that were fetched before a
-- time and that no moderator has limited; the ids of those to which nothing stored refers.
-- $1 after bigint
-- $2 before timestamptz
-- rows: one; last: the last account read, null when there are no more
-- plan: a batch of accounts by key, each with look-ups by index in a function
with examined as materialized (
  select a.id from accounts a
  where a.id > $1 and a.domain is not null and coalesce(a.fetched_at, a.created_at) < $2
    and a.suspended_at is null and a.silenced_at is null and a.sensitized_at is null and a.deletion_requested_at is null
  order by a.id
  limit 500
)
select
  (select max(examined.id) from examined) as last,
  array(select u.id from unrelated_among(array(select examined.id from examined)) u (id)) as ids
