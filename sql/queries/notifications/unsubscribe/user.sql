-- user: the address of a user who gets e-mails about a type of notification.
-- $1 user bigint
-- $2 type text
-- rows: none when the user does not, else one
-- plan: one row by key
select u.email from users u where u.id = $1 and $2::text = any (u.mail_types)
