-- actor_reference: the identity of an account in activities.
-- $1 account bigint
-- rows: none or one
-- plan: no sequential scan
select a.id, a.domain is null as local, a.uri, a.inbox_url from accounts a where a.id = $1
