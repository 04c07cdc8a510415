-- is_known_actor: whether an actor of another server is stored here.
-- $1 uri text
-- rows: one
-- plan: no sequential scan
select exists (select from accounts a where a.uri = $1 and a.uri <> '') as known
