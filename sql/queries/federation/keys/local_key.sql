-- local_key: the key pair of an account, or of the instance actor (null).
-- $1 account bigint
-- rows: none or one
-- plan: one row by key
select k.public_key, k.private_key from signing_keys k where k.account_id is not distinct from $1
