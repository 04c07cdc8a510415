-- local_account: whether there is a local account with this id.
-- $1 id bigint
-- rows: none or one
-- plan: no sequential scan
select a.id from accounts a where a.id = $1 and a.domain is null
