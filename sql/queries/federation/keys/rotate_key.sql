-- rotate_key: replaces the key pair of a local account.
-- $1 account bigint
-- $2 public_key text
-- $3 private_key bytea
-- rows: none when the account has no keys, else one; previous: the replaced private key
-- plan: one row by key
with old as materialized (
  select k.account_id, k.private_key from signing_keys k where k.account_id = $1 for update
), updated as (
  update signing_keys k set public_key = $2, private_key = $3, created_at = now() from old where k.account_id = old.account_id
  returning k.account_id
), logged as (
  insert into events (kind, account_id) select 'signing_key.changed', updated.account_id from updated
  returning event_json(events) as event
)
select old.private_key as previous, (select jsonb_agg(logged.event) from logged) as events from old
