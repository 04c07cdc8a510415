-- delete: deletes an archive that could not be created; its user may request another.
-- $1 backup bigint
-- rows: none
-- plan: one row by key
delete from backups b where b.id = $1 and b.ready_at is null
