-- set_account_state: sets or removes a limit of an account, and records it in the audit log. Has no
-- effect when nothing changes. A suspension by the account's own server cannot be removed here, nor
-- one whose account's data are being deleted.
-- $1 moderator bigint
-- $2 account bigint
-- $3 change text
-- rows: one; changed: whether the state changed; is_local, has_user: whether the account is
--   local, and has a login
-- plan: no sequential scan
with found as materialized (
  select a.id, a.domain is null as is_local, handle_of(a) as handle from accounts a where a.id = $2 for no key update
), changed as (
  update accounts a set
    suspended_at = case $3 when 'suspend' then now() when 'unsuspend' then null else a.suspended_at end,
    suspension_origin = case when $3 in ('suspend', 'unsuspend') then 'local' else a.suspension_origin end,
    silenced_at = case $3 when 'silence' then now() when 'unsilence' then null else a.silenced_at end,
    sensitized_at = case $3 when 'sensitive' then now() when 'unsensitive' then null else a.sensitized_at end,
    updated_at = now()
  from found
  where a.id = found.id and case $3
    when 'suspend' then a.suspended_at is null or a.suspension_origin = 'remote'
    when 'unsuspend' then a.suspended_at is not null and a.suspension_origin = 'local' and a.deletion_requested_at is null
    when 'silence' then a.silenced_at is null
    when 'unsilence' then a.silenced_at is not null
    when 'sensitive' then a.sensitized_at is null
    when 'unsensitive' then a.sensitized_at is not null
    else false
  end
  returning a.id
), login as (
  update users u set disabled = $3 = 'disable', updated_at = now()
  from found
  where u.account_id = found.id and $3 in ('disable', 'enable') and u.disabled <> ($3 = 'disable')
  returning u.account_id as id, u.id as user_id
), logged as materialized (
  select log_action($1::bigint, $3, 'Account', found.id, found.handle) from found where exists (select from changed)
  union all
  select log_action($1, $3, 'User', login.user_id, found.handle) from found cross join login
), logged_event as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', $1, changed.id, jsonb_build_object('change', case $3
    when 'suspend' then 'suspended'
    when 'unsuspend' then 'unsuspended'
    when 'silence' then 'silenced'
    when 'unsilence' then 'unsilenced'
    when 'sensitive' then 'sensitized'
    else 'unsensitized'
  end)
  from changed
  union all
  select 'user.changed', $1, login.id, jsonb_build_object('change', case $3 when 'disable' then 'disabled' else 'enabled' end) from login
  returning event_json(events) as event
)
select
  found.is_local,
  exists (select from users u where u.account_id = found.id) as has_user,
  (select count(*) from logged) > 0 as changed,
  (select jsonb_agg(logged_event.event) from logged_event) as events
from found
