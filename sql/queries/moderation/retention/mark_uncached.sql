-- mark_uncached: records that the cached files of these attachments were removed; what
-- was copied again meanwhile stays.
-- $1 ids bigint[]
-- $2 keys text[]: the first file of each
-- rows: one
-- plan: no sequential scan
with deleted as (
  update media_attachments m set file_key = null, preview_key = null, file_bytes = 0, preview_bytes = 0
  from unnest((select $1::bigint[]), (select $2::text[])) removed (id, key)
  where m.id = removed.id and coalesce(m.file_key, m.preview_key) = removed.key
  returning m.status_id
), logged as (
  insert into events (kind, status_id)
  select distinct 'status.counted', deleted.status_id from deleted where deleted.status_id is not null
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
