-- finish_of: signs one of a user's browsers out.
-- $1 user bigint
-- $2 session bigint
-- rows: one when the user had it
-- plan: no sequential scan
delete from sessions where sessions.id = $2 and sessions.user_id = $1 returning sessions.id
