-- archive: an archive that a user may download.
-- $1 user bigint
-- $2 id bigint
-- rows: none when it is not the user's, not ready, or removed
-- plan: no sequential scan
select b.file_key, b.ready_at
from backups b
where b.id = $2 and b.user_id = $1 and b.ready_at is not null and b.file_key is not null
