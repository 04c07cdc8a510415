-- account_uri: the URI of an account of another server.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select a.uri from accounts a where a.id = $1 and a.domain is not null
