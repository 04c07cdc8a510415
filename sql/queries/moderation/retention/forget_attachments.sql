-- forget_attachments: the copies of these attachments are gone.
-- $1 ids bigint[]
-- rows: one
-- plan: no sequential scan
with forgotten as (
  update media_attachments m set file_key = null, preview_key = null where m.id = any ($1) returning m.status_id
), told as (
  insert into events (kind, status_id)
  select distinct 'status.counted', forgotten.status_id from forgotten where forgotten.status_id is not null
  returning event_json(events) as event
)
select (select jsonb_agg(told.event) from told) as events
