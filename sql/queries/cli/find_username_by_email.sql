-- find_username_by_email: the username of the user with this e-mail address.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan
select a.username from users u join accounts a on a.id = u.account_id where lower(u.email) = lower($1)
