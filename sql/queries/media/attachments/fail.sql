-- fail: marks an attachment as unconvertible; its owner sees that until it is removed with other
-- unused attachments.
-- $1 id bigint
-- rows: none when it no longer exists or is processed, else one with the files that are no longer
--   needed
-- plan: no sequential scan
with old as (
  select m.id, m.source_key
  from media_attachments m
  where m.id = $1 and m.processing in ('queued', 'running')
  for update
)
update media_attachments m set processing = 'failed', source_key = null
from old
where m.id = old.id
returning array_remove(array[old.source_key], null) as keys
