-- name_block: stores the URI of a block of another server, by which it may be undone.
-- $1 account bigint
-- $2 target bigint
-- $3 uri text
-- rows: none
-- plan: no sequential scan
update blocks b set uri = $3 where b.account_id = $1 and b.target_account_id = $2
