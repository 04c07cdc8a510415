-- fail: an attachment cannot be converted; its owner is told so until it is removed with others that no status has.
-- $1 id bigint
-- rows: none when it is gone or done, else one with the files that are not needed any more
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
