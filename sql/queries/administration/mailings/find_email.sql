-- find_email: the e-mail address of a user.
-- $1 user bigint
-- rows: none or one
-- plan: one row by key
select u.email from users u where u.id = $1
