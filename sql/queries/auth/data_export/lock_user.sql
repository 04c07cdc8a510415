-- lock_user: of two requests for an archive at the same time the second waits until the first is stored.
-- $1 user bigint
-- rows: one when there is such a user
-- plan: no sequential scan
select u.id from users u where u.id = $1 for update
