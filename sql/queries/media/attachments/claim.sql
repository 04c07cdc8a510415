-- claim: an attachment that is to be processed, or was begun and not ended.
-- $1 id bigint
-- rows: none when it is gone or done, else one
-- plan: no sequential scan
update media_attachments m set processing = 'running'
where m.id = $1 and m.processing in ('queued', 'running')
returning m.type, m.source_key, m.preview_key
