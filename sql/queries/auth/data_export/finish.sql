-- finish: marks an archive as ready; it replaces the user's earlier ones.
-- $1 backup bigint
-- $2 size_bytes bigint
-- rows: one, or none when the user no longer exists; keys: the files of the replaced archives
-- plan: no sequential scan
with ready as (
  update backups b set ready_at = now(), size_bytes = $2
  where b.id = $1 and b.ready_at is null
  returning b.user_id
), replaced as (
  update backups b set file_key = null
  from ready
  join backups old on old.user_id = ready.user_id
  where b.id = old.id and old.id <> $1 and old.ready_at is not null and old.file_key is not null
  returning old.file_key
)
select ready.user_id, array(select replaced.file_key from replaced) as keys from ready
