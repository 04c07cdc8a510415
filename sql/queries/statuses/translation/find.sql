-- find: a recent translation of texts.
-- $1 digest bytea
-- $2 after timestamptz
-- rows: none or one
-- plan: no sequential scan
select t.texts, t.source from translations t where t.digest = $1 and t.created_at > $2
