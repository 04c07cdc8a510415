-- use_step: notes the time step of a code that was used; it and those before it are not taken again (RFC 6238, section 5.2).
-- $1 user bigint
-- $2 step bigint
-- rows: none
-- plan: one row by key
update users set otp_last_step = $2 where users.id = $1
