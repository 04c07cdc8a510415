-- expire: deletes translations that are older than a time.
-- $1 before timestamptz
-- rows: none
-- plan: no sequential scan
delete from translations t where t.created_at < $1
