-- announce_newcomer: notifies users with the permission manage_users (or administrator) of a new
-- user.
-- $1 user bigint
-- rows: one
-- plan: no sequential scan of users
with newcomer as (
  select u.account_id from users u where u.id = $1
), staff as (
  select u.account_id
  from roles r
  join users u on u.role_id = r.id
  where has_permission(r.permissions, 'manage_users') and u.confirmed_at is not null and u.approved and not u.disabled
  order by u.account_id
), logged as (
  select notify(staff.account_id, newcomer.account_id, 'admin.sign_up', null, $1) as event
  from staff cross join newcomer
  where staff.account_id <> newcomer.account_id
)
select (select jsonb_agg(logged.event) from logged where logged.event is not null) as events
