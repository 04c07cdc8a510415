-- remove_picture: removes the avatar or header of an account for a moderator, and records it in the
-- audit log.
-- $1 moderator bigint
-- $2 account bigint
-- $3 kind text
-- rows: none when there is no such picture, else one; picture: the removed one
-- plan: no sequential scan
with before as (
  select a.id, case $3 when 'avatar' then a.avatar else a.header end as picture from accounts a where a.id = $2 for no key update
), changed as (
  update accounts a
  set avatar = case $3 when 'avatar' then null else a.avatar end,
    avatar_description = case $3 when 'avatar' then '' else a.avatar_description end,
    header = case $3 when 'header' then null else a.header end,
    header_description = case $3 when 'header' then '' else a.header_description end,
    updated_at = now()
  from before
  where a.id = before.id and before.picture is not null
  returning a.id, handle_of(a) as handle, before.picture
), noted as materialized (
  select log_action($1::bigint, case $3 when 'avatar' then 'remove_avatar' else 'remove_header' end, 'Account', changed.id, changed.handle)
  from changed
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', $1, changed.id, '{"change": "profile"}'::jsonb from changed, noted
  returning event_json(events) as event
)
select changed.picture, (select jsonb_agg(logged.event) from logged) as events from changed
