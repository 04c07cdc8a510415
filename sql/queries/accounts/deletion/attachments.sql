-- attachments: deletes up to 200 attachments of an account; the caller removes their files.
-- $1 account bigint
-- rows: one an attachment
-- plan: no sequential scan
delete from media_attachments m
where m.id in (select own.id from media_attachments own where own.account_id = $1 limit 200)
returning array_remove(array[m.file_key, m.preview_key, m.source_key], null) as keys
