-- touch: records the use of a session.
-- $1 session bigint
-- $2 ip inet
-- rows: none
-- plan: one row by key
update sessions set updated_at = now(), ip = $2 where sessions.id = $1
