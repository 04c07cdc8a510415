-- set_display_name: sets the display name of a new account.
-- $1 account bigint
-- $2 display_name text
-- rows: none
-- plan: one row by key
update accounts set display_name = $2 where accounts.id = $1
