-- withheld_files: a batch of the files of an account's attachments, and whether each is withheld:
-- all while the account is suspended, and those of statuses that were deleted.
-- $1 account bigint
-- $2 after bigint
-- $3 statuses bigint[]
-- $4 limit integer
-- rows: attachments with an id above $2, in order; if $3, only those of these statuses
-- plan: no sequential scan
with chosen as materialized (
  select m.id, m.status_id, m.file_key, m.preview_key
  from media_attachments m
  where m.account_id = $1 and m.id > $2 and ($3::bigint[] is null or m.status_id = any ((select $3::bigint[])::bigint[]))
)
select
  m.id,
  a.suspended_at is not null or s.deleted_at is not null as withheld,
  array_remove(array[m.file_key, m.preview_key], null) as files
from accounts a
cross join chosen m
left join statuses s on s.id = m.status_id
where a.id = $1
order by m.id
limit $4::integer
