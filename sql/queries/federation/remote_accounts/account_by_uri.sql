-- account_by_uri: the account of another server's actor.
-- $1 uri text
-- rows: none or one
-- plan: no sequential scan
select a.id from accounts a where a.uri = $1::text and a.uri <> ''
