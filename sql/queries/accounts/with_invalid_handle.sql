-- with_invalid_handle: the account of another server with this id, if its handle is invalid.
-- $1 id bigint
-- rows: none or one
-- plan: no sequential scan
select a.id from accounts a where a.id = $1 and a.handle_invalid
