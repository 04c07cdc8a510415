-- finish: stores the result of a conversion. A preview or focus that the owner set meanwhile stays.
-- $1 id bigint
-- $2 file_key text
-- $3 preview_key text
-- $4 blurhash text
-- $5 meta jsonb
-- $6 file_bytes bigint
-- $7 preview_bytes bigint
-- rows: none when it no longer exists or is processed, else one; unused: files that are no longer
--   needed
-- plan: no sequential scan
with old as (
  select m.id, m.source_key, m.preview_key
  from media_attachments m
  where m.id = $1 and m.processing in ('queued', 'running')
  for update
)
update media_attachments m set
  processing = 'done',
  file_key = $2,
  file_bytes = $6::bigint,
  preview_bytes = case when m.preview_key is null then $7::bigint else m.preview_bytes end,
  preview_key = coalesce(m.preview_key, $3::text),
  blurhash = coalesce(m.blurhash, $4::text),
  meta = $5::jsonb || m.meta,
  source_key = null
from old
where m.id = old.id
returning array_remove(array[old.source_key, case when old.preview_key is not null then $3::text end], null) as unused
