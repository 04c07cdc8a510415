-- own: the source of a status of its author.
-- $1 author bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select s.id, s.text from statuses s where s.id = $2 and s.account_id = $1 and s.deleted_at is null
