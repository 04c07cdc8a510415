-- lock_user: serialises the requests and ends of a user's archives, so that a second simultaneous
-- one sees the first.
-- $1 user bigint
-- rows: one when the user exists
-- plan: no sequential scan
select u.id from users u where u.id = $1 for update
