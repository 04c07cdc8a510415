-- finish_others: signs a user out of all browsers but one.
-- $1 user bigint
-- $2 session bigint
-- rows: none
-- plan: the sessions of one user by index
delete from sessions where sessions.user_id = $1 and sessions.id <> $2
