-- forget: an archive that could not be made; its user may ask for another.
-- $1 backup bigint
-- rows: none
-- plan: one row by key
delete from backups b where b.id = $1 and b.ready_at is null
