-- finish: marks an archive as ready; it replaces the user's earlier ones. One that ends after a
-- later one is replaced by that. Run under lock_user.
-- $1 backup bigint
-- $2 size_bytes bigint
-- rows: one, or none when the user no longer exists; is_newest: whether no later one is ready;
--   keys: the files of the replaced archives
-- plan: no sequential scan
with finished as materialized (
  select b.id, b.user_id, b.file_key,
    not exists (
      select from backups later where later.user_id = b.user_id and later.id > b.id and later.ready_at is not null
    ) as is_newest
  from backups b
  where b.id = $1 and b.ready_at is null
), ready as (
  update backups b
  set ready_at = now(), size_bytes = $2, file_key = case when finished.is_newest then b.file_key end
  from finished
  where b.id = finished.id
), replaced as (
  update backups b set file_key = null
  from finished
  join backups old on old.user_id = finished.user_id
  where b.id = old.id and old.id < $1 and old.ready_at is not null and old.file_key is not null
  returning old.file_key
)
select finished.is_newest,
  array(
    select replaced.file_key from replaced
    union all
    select finished.file_key where not finished.is_newest and finished.file_key is not null
  ) as keys
from finished
