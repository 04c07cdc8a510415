-- replace_secret: the same secret of a second factor, stored in another way, unless it has changed meanwhile.
-- $1 user bigint
-- $2 before text
-- $3 after text
-- rows: none
-- plan: no sequential scan
update users set otp_secret = $3 where users.id = $1 and users.otp_secret = $2
