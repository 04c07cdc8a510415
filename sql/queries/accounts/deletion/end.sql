-- end: completes the deletion of an account that has no data left but its user. The row stays,
-- empty and hidden, so that the name cannot be taken, unless the name is released too. Records for
-- moderators stay with the row; without it the reports go, with the notifications about them. If it
-- may return, a row that is kept is suspended in the name of its own server, unless it is suspended
-- here.
-- $1 account bigint
-- $2 frees_name boolean
-- $3 may_return boolean
-- rows: one
-- plan: no sequential scan
with old as materialized (
  select a.avatar, a.header, $3::boolean and (a.suspended_at is null or a.suspension_origin = 'remote') as returns
  from accounts a
  where a.id = $1
  for no key update
), signed_out as (
  delete from users u where u.account_id = $1
), withdrawn as (
  delete from notifications n using reports r
  where $2 and r.target_account_id = $1 and n.from_account_id = r.account_id and n.type = 'admin.report' and n.activity_id = r.id
  returning n.account_id
), released as (
  delete from accounts a where a.id = $1 and $2
), cleared as (
  update accounts a
  set display_name = '', note = '', note_html = '', fields = '[]', avatar = null, avatar_description = '', header = null,
    header_description = '', private_key = null, moved_to_account_id = null, suspended_at = coalesce(a.suspended_at, now()),
    suspension_origin = case when old.returns then 'remote' else a.suspension_origin end,
    deletion_requested_at = case when not old.returns then coalesce(a.deletion_requested_at, now()) end, discoverable = false,
    updated_at = now()
  from old
  where a.id = $1 and not $2
), logged as (
  insert into events (kind, account_id, data)
  select one.kind, $1, one.data
  from (
    values
      ('token.revoked', '{}'::jsonb), ('user.changed', '{"change": "deleted"}'), ('account.changed', '{"change": "deleted"}'),
      ('account.deleted', '{}')
  ) one (kind, data)
  union all
  select distinct 'notifications.changed', withdrawn.account_id, '{"change": "withdrawn"}'::jsonb from withdrawn
  returning event_json(events) as event
)
select
  array(
    select files.key
    from old
    cross join lateral (
      values (old.avatar ->> 'key'), (old.avatar ->> 'static_key'), (old.header ->> 'key'), (old.header ->> 'static_key')
    ) files (key)
    where files.key is not null
  ) as files,
  (select jsonb_agg(logged.event) from logged) as events
