-- remove_type: ends the e-mails about a type of notification to a user.
-- $1 user bigint
-- $2 type text
-- rows: none
-- plan: one row by key
update users u set mail_types = array_remove(u.mail_types, $2::text) where u.id = $1 and $2::text = any (u.mail_types)
