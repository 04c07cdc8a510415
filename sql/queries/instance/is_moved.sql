-- is_moved: whether an account may not act only because it has moved.
-- $1 account bigint
-- rows: one when it is so
-- plan: a row of two tables by key each
select u.id
from users u
join accounts a on a.id = u.account_id
where u.account_id = $1 and a.moved_to_account_id is not null and not a.memorial
  and u.confirmed_at is not null and u.approved and not u.disabled
