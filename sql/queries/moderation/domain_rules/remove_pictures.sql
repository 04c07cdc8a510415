-- remove_pictures: drops the cached avatars, headers and attachments of these accounts; the
-- attachments keep their remote URLs.
-- $1 ids bigint[]
-- rows: one; files: the files to remove
-- plan: no sequential scan
with old as materialized (
  select a.id, a.avatar, a.header from accounts a
  where a.id = any ($1::bigint[]) and (a.avatar is not null or a.header is not null)
), bared as (
  update accounts a set avatar = null, header = null, updated_at = now() from old where a.id = old.id
), saved as materialized (
  select m.id, m.status_id, array[m.file_key, m.preview_key, m.source_key] as keys
  from media_attachments m
  where m.account_id = any ($1) and m.file_key is not null
), deleted as (
  update media_attachments m set file_key = null, preview_key = null, source_key = null from saved where m.id = saved.id
), logged as (
  insert into events (kind, account_id, status_id, data)
  select 'account.changed', old.id, null::bigint, '{"change": "profile"}'::jsonb from old
  union all
  select distinct 'status.counted', null::bigint, saved.status_id, '{}'::jsonb from saved where saved.status_id is not null
  returning event_json(events) as event
)
select
  array(
    select files.key
    from (
      select unnest(array[old.avatar ->> 'key', old.avatar ->> 'static_key', old.header ->> 'key', old.header ->> 'static_key']) as key
      from old
      union all
      select unnest(saved.keys) from saved
    ) files
    where files.key is not null
  ) as files,
  (select jsonb_agg(logged.event) from logged) as events
