-- lock_target: locks an account for an action of a moderator, and says whether another moderator
-- has taken the same action since this statement began: while it waited for the account.
-- $1 account bigint
-- $2 action text
-- rows: one, or none when there is no such account
-- plan: no sequential scan
with before as materialized (
  select
    a.suspended_at is null or a.suspension_origin = 'remote' as is_free,
    a.silenced_at is null as is_heard,
    a.sensitized_at is null as is_shown,
    not exists (select from users u where u.account_id = a.id and u.disabled) as is_enabled
  from accounts a
  where a.id = $1
), target as materialized (
  select a.id, a.suspended_at, a.suspension_origin, a.silenced_at, a.sensitized_at
  from accounts a
  where a.id = $1
  for no key update
), login as materialized (
  select u.disabled from users u join target on target.id = u.account_id where $2 = 'disable' for no key update of u
)
select case $2
  when 'suspend' then before.is_free and target.suspended_at is not null and target.suspension_origin = 'local'
  when 'silence' then before.is_heard and target.silenced_at is not null
  when 'sensitive' then before.is_shown and target.sensitized_at is not null
  when 'disable' then before.is_enabled and exists (select from login where login.disabled)
  else false
end as done_meanwhile
from target
cross join before
