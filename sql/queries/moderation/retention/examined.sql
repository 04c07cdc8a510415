-- examined: the last status of other servers that the nightly removal has examined.
-- rows: none or one
-- plan: the only row
select r.examined_status_id as last from retention_progress r
