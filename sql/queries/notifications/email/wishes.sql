-- wishes: about which notifications a user wants letters.
-- $1 user bigint
-- rows: one, unless the user is gone
-- plan: no sequential scan, at most 8 buffers
select u.mail_types, u.mail_always from users u where u.id = $1
