-- target: whether an account may be the target of a move of another one.
-- $1 account bigint
-- $2 target bigint
-- $3 uri text
-- rows: none when the target is hidden from everybody
-- plan: no sequential scan
select
  exists (select from account_aliases x where x.account_id = t.id and x.alias_account_id = $1)
    or (t.domain is not null and $3 = any (t.also_known_as)) as linked,
  t.moved_to_account_id is not null as moved
from accounts t
where t.id = $2 and t.suspended_at is null and t.deletion_requested_at is null and not t.pending and not t.memorial
