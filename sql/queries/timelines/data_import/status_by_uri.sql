-- status_by_uri: the status of another server with this URI.
-- $1 uri text
-- rows: none or one
-- plan: no sequential scan
select s.id from statuses s where s.uri = $1 and s.deleted_at is null
