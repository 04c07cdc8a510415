-- find_password: the hash of a user's current password.
-- $1 user bigint
-- rows: none or one
-- plan: no sequential scan, at most 8 buffers
select u.password_hash from users u where u.id = $1
