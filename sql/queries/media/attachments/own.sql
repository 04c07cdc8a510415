-- own: an attachment of its owner that belongs to no status.
-- $1 account bigint
-- $2 id bigint
-- rows: none when there is none, else one
-- plan: no sequential scan
select m.id, m.type, m.processing, m.file_key, m.preview_key, m.remote_url, m.preview_remote_url, m.meta, m.description, m.blurhash
from media_attachments m
where m.id = $2 and m.account_id = $1 and m.status_id is null
