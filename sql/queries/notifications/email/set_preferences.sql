-- set_preferences: stores which notifications a user receives by e-mail.
-- $1 user bigint
-- $2 types text[]
-- $3 always boolean
-- rows: none
-- plan: no sequential scan
update users set mail_types = $2::text[], mail_always = $3 where users.id = $1
