-- archives: the archives that a user requested, newest first.
-- $1 user bigint
-- rows: at most 10
-- plan: no sequential scan
select b.id, b.size_bytes, b.file_key is not null as there, b.ready_at, b.created_at
from backups b
where b.user_id = $1
order by b.id desc
limit 10
