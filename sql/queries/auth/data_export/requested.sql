-- requested: a requested archive that a job is to create.
-- $1 backup bigint
-- rows: none when it is ready, or its user no longer exists
-- plan: no sequential scan
select b.user_id, u.account_id, b.file_key
from backups b
join users u on u.id = b.user_id
where b.id = $1 and b.ready_at is null and b.file_key is not null
