-- may_move: whether a remote account may move to another account, which must list it as an alias. A
-- second move within seven days is not allowed.
-- $1 account bigint
-- $2 target bigint
-- rows: none when the target is hidden or has moved itself, else one
-- plan: no sequential scan
select
  (
    a.uri = any (t.also_known_as)
    or exists (select from account_aliases x where x.account_id = t.id and x.alias_account_id = a.id)
  ) and not exists (
    select from account_migrations m where m.account_id = a.id and m.created_at > now() - interval '7 days'
  ) as allowed
from accounts a
join accounts t on t.id = $2
where a.id = $1 and t.id <> a.id and t.suspended_at is null and t.deletion_requested_at is null and not t.pending
  and t.moved_to_account_id is null
