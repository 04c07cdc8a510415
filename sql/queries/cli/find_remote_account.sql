-- find_remote_account: a known account of another server.
-- $1 username text
-- $2 domain text
-- rows: none or one
-- plan: no sequential scan
select a.id from accounts a where lower(a.username) = lower($1) and lower(coalesce(a.domain, '')) = lower($2)
