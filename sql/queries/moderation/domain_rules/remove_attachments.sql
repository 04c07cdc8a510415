-- remove_attachments: drops the cached files of up to 500 attachments of an account; these
-- attachments keep their remote URLs.
-- $1 account bigint
-- rows: one; removed: how many; files: the files to remove
-- plan: no sequential scan
with saved as materialized (
  select m.id, m.status_id, array[m.file_key, m.preview_key, m.source_key] as keys
  from media_attachments m
  where m.account_id = $1 and (m.file_key is not null or m.preview_key is not null)
  limit 500
), deleted as (
  update media_attachments m
  set file_key = null, preview_key = null, source_key = null, file_bytes = 0, preview_bytes = 0
  from saved
  where m.id = saved.id
), logged as (
  insert into events (kind, status_id)
  select distinct 'status.counted', saved.status_id from saved where saved.status_id is not null
  returning event_json(events) as event
)
select
  (select count(*) from saved)::integer as removed,
  array(select files.key from (select unnest(saved.keys) as key from saved) files where files.key is not null) as files,
  (select jsonb_agg(logged.event) from logged) as events
