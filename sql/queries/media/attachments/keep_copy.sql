-- keep_copy: shows the stored copy of an attachment of another server. Its description and focus
-- stay; a kind that is not known becomes that of the copy.
-- $1 id bigint
-- $2 remote_url text
-- $3 file_key text
-- $4 preview_key text
-- $5 blurhash text
-- $6 meta jsonb
-- $7 file_bytes bigint
-- $8 preview_bytes bigint
-- $9 replaced text: the key of the copy that this one replaces; null: none
-- $10 type text
-- rows: none when it no longer exists or has another copy
-- plan: no sequential scan
with kept as (
  update media_attachments m set
    file_key = $3, preview_key = $4::text, blurhash = coalesce(m.blurhash, $5::text), meta = m.meta || $6::jsonb,
    file_bytes = $7::bigint, preview_bytes = $8::bigint, type = case when m.type = 'unknown' then $10::text else m.type end
  where m.id = $1 and m.remote_url = $2::text and m.file_key is not distinct from $9::text
  returning m.id, m.status_id
), logged as (
  insert into events (kind, status_id) select 'status.counted', kept.status_id from kept where kept.status_id is not null
  returning event_json(events) as event
)
select kept.id, (select jsonb_agg(logged.event) from logged) as events from kept
