-- set_address: the address that a user wants from now on. It counts when it is confirmed; the one of before wants no confirmation but the first.
-- $1 user bigint
-- $2 email text
-- rows: none
-- plan: one row by key
update users
set unconfirmed_email = case when lower(users.email) = lower($2::text) then null else $2 end, updated_at = now()
where users.id = $1
