-- expire: removes up to 100 archives that were created before the given time.
-- $1 before timestamptz
-- rows: one an archive; file_key: its file, which the caller removes
-- plan: no sequential scan
update backups b set file_key = null
from (
  select old.id, old.file_key from backups old
  where old.file_key is not null and old.ready_at < $1
  limit 100
  for update
) expired
where b.id = expired.id
returning expired.file_key
