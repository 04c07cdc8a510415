-- set_address: stores a user's new address. It takes effect when it is confirmed, by a new link:
-- the previous one, of another address, ends. Setting the current address cancels a pending change.
-- $1 user bigint
-- $2 email text
-- rows: none
-- plan: one row by key
update users
set unconfirmed_email = case when lower(users.email) = lower($2::text) then null else $2 end,
  confirmation_token_hash = null, updated_at = now()
where users.id = $1
