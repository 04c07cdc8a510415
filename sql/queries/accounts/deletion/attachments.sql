-- attachments: deletes up to 200 attachments of an account, if $2 without those of statuses in open
-- reports; the caller removes their files.
-- $1 account bigint
-- $2 keeps_evidence boolean
-- rows: one an attachment
-- plan: no sequential scan
delete from media_attachments m
where m.id in (
  select own.id
  from media_attachments own
  where own.account_id = $1 and not (
    $2::boolean and own.status_id is not null and exists (
      select from reports r
      where r.target_account_id = $1 and r.action_taken_at is null and r.status_ids @> array[own.status_id]
    )
  )
  limit 200
)
returning array_remove(array[m.file_key, m.preview_key, m.source_key], null) as keys
