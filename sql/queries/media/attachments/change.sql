-- change: changes the description, focus or preview of an attachment that belongs to no status.
-- Null values stay unchanged.
-- $1 account bigint
-- $2 id bigint
-- $3 described boolean
-- $4 description text
-- $5 focused boolean
-- $6 focus jsonb
-- $7 preview_key text
-- $8 blurhash text
-- $9 preview_meta jsonb
-- $10 preview_bytes bigint
-- rows: none when there is none, else one; old_preview_key: the replaced preview file
-- plan: no sequential scan
with old as (
  select m.id, m.preview_key
  from media_attachments m
  where m.id = $2 and m.account_id = $1 and m.status_id is null
  for update
)
update media_attachments m set
  description = case when $3::boolean then $4::text else m.description end,
  preview_key = coalesce($7::text, m.preview_key),
  preview_bytes = case when $7::text is null then m.preview_bytes else $10::bigint end,
  blurhash = coalesce($8::text, m.blurhash),
  meta = case when $5::boolean then (m.meta || $9::jsonb) - 'focus' || coalesce($6::jsonb, '{}') else m.meta || $9::jsonb end
from old
where m.id = old.id
returning
  m.id, m.type, m.processing, m.file_key, m.preview_key, m.remote_url, m.preview_remote_url, m.meta, m.description, m.blurhash,
  case when $7::text is not null then old.preview_key end as old_preview_key
