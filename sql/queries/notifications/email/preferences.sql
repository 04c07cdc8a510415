-- preferences: which notifications a user receives by e-mail.
-- $1 user bigint
-- rows: one, unless the user no longer exists
-- plan: no sequential scan, at most 8 buffers
select u.mail_types, u.mail_always from users u where u.id = $1
