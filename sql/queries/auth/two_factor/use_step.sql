-- use_step: records the time step of a used code; it and earlier ones are not accepted again (RFC
-- 6238, section 5.2).
-- $1 user bigint
-- $2 step bigint
-- rows: none
-- plan: one row by key
update users set otp_last_step = $2 where users.id = $1
