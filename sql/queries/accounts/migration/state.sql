-- state: where an account has moved, and whether its user may move it.
-- $1 account bigint
-- rows: none or one; usable: but for the move itself; moved_at: of the last move with followers
-- plan: no sequential scan
select
  u.confirmed_at is not null and u.approved and not u.disabled and not a.memorial as usable,
  t.username as target_username,
  t.domain as target_domain,
  (select max(m.created_at) from account_migrations m where m.account_id = a.id) as moved_at
from accounts a
join users u on u.account_id = a.id
left join accounts t on t.id = a.moved_to_account_id
where a.id = $1
