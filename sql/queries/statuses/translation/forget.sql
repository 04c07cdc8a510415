-- forget: translations that were made before a time.
-- $1 before timestamptz
-- rows: none
-- plan: no sequential scan
delete from translations t where t.created_at < $1
