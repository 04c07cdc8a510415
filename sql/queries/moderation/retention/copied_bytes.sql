-- copied_bytes: the size of the files of an attachment.
-- $1 id bigint
-- rows: none or one
-- plan: no sequential scan
select coalesce(m.file_bytes, 0) + coalesce(m.preview_bytes, 0) as bytes from media_attachments m where m.id = $1
