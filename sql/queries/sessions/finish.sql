-- finish: signs a browser out.
-- $1 session bigint
-- rows: none
delete from sessions where sessions.id = $1
