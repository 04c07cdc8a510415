-- find_password: the hash that a user's current password is checked against.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.password_hash from users u where u.id = $1
