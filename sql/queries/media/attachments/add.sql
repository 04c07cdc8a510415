-- add: stores an attachment that belongs to no status yet.
-- $1 account bigint
-- $2 type text
-- $3 processing text
-- $4 file_key text
-- $5 preview_key text
-- $6 source_key text
-- $7 meta jsonb
-- $8 description text
-- $9 blurhash text
-- $10 file_bytes bigint
-- $11 preview_bytes bigint
-- rows: one
-- plan: rows are inserted, none are read
insert into media_attachments as m
  (account_id, type, processing, file_key, preview_key, source_key, meta, description, blurhash, file_bytes, preview_bytes)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
returning m.id, m.type, m.processing, m.file_key, m.preview_key, m.remote_url, m.preview_remote_url, m.meta, m.description, m.blurhash
