-- set_block_uri: stores the URI of a block by a remote account, by which an Undo names it.
-- $1 account bigint
-- $2 target bigint
-- $3 uri text
-- rows: none
-- plan: no sequential scan
update blocks b set uri = $3 where b.account_id = $1 and b.target_account_id = $2
