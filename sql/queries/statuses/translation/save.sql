-- save: stores the translation of texts.
-- $1 digest bytea
-- $2 texts text[]
-- $3 source text
-- rows: none
-- plan: rows are inserted, none are read
insert into translations (digest, texts, source) values ($1, $2, $3)
on conflict (digest) do update set texts = excluded.texts, source = excluded.source, created_at = now()
