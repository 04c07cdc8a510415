-- expire: removes a batch of attachments that have belonged to no status, posted or scheduled,
-- since a time.
-- $1 before timestamptz
-- $2 limit integer
-- rows: one an attachment, with its files
-- plan: no sequential scan
delete from media_attachments m
where m.id in (
  select d.id
  from media_attachments d
  where d.status_id is null and d.scheduled_status_id is null and d.created_at < $1
  order by d.created_at
  limit $2::integer
  for update skip locked
)
returning array_remove(array[m.file_key, m.preview_key, m.source_key], null) as keys
