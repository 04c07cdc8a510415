-- remove: deletes an attachment of its owner, unless a status uses it. The caller removes its
-- files.
-- $1 account bigint
-- $2 id bigint
-- rows: none when there is none, else one; used: a posted or scheduled status uses it, and nothing
--   was removed
-- plan: no sequential scan
with found as (
  select m.id, m.status_id is not null or m.scheduled_status_id is not null as used
  from media_attachments m
  where m.id = $2 and m.account_id = $1
  for update
), removed as (
  delete from media_attachments m using found
  where m.id = found.id and not found.used
  returning array_remove(array[m.file_key, m.preview_key, m.source_key], null) as keys
)
select found.used, coalesce((select removed.keys from removed), '{}') as keys from found
