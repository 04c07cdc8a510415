-- replace_secret: stores the secret of a second factor in another encoding, unless it changed
-- meanwhile.
-- $1 user bigint
-- $2 before text
-- $3 after text
-- rows: none
-- plan: no sequential scan
update users set otp_secret = $3 where users.id = $1 and users.otp_secret = $2
