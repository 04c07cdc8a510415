-- username_of_email: whose e-mail address this is.
-- $1 email text
-- rows: none or one
-- plan: no sequential scan
select a.username from users u join accounts a on a.id = u.account_id where lower(u.email) = lower($1)
