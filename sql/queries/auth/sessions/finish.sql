-- finish: signs a browser out.
-- $1 session bigint
-- rows: none
-- plan: one row by key
delete from sessions where sessions.id = $1
