-- is_live: whether a browser is still signed in.
-- $1 session bigint
-- rows: one when it is, else none
-- plan: no sequential scan, at most 8 buffers
select s.id from sessions s where s.id = $1
