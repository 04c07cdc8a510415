-- forget_attachments: records that the cached files of these attachments were removed.
-- $1 ids bigint[]
-- rows: one
-- plan: no sequential scan
with deleted as (
  update media_attachments m set file_key = null, preview_key = null where m.id = any ($1) returning m.status_id
), logged as (
  insert into events (kind, status_id)
  select distinct 'status.counted', deleted.status_id from deleted where deleted.status_id is not null
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
