-- claim: an attachment that is waiting to be processed, or whose processing was interrupted.
-- $1 id bigint
-- rows: none when it no longer exists or is processed, else one
-- plan: no sequential scan
update media_attachments m set processing = 'running'
where m.id = $1 and m.processing in ('queued', 'running')
returning m.type, m.source_key, m.preview_key
