-- save_key: stores a key pair, unless the actor has one; the first to commit decides.
-- $1 account bigint
-- $2 public_key text
-- $3 private_key bytea
-- rows: one, the stored pair
-- plan: no sequential scan
insert into signing_keys as k (account_id, public_key, private_key)
values ($1, $2, $3)
on conflict (account_id) do update set public_key = k.public_key
returning k.public_key, k.private_key
