-- remove_address: removes the block of an address, by its hash.
-- $1 moderator bigint
-- $2 hash text
-- rows: one when it was blocked
-- plan: no sequential scan
with removed as (
  delete from canonical_email_blocks b where b.canonical_email_hash = $2 returning b.id, b.canonical_email_hash
), logged as materialized (
  select log_action($1, 'destroy', 'CanonicalEmailBlock', removed.id, removed.canonical_email_hash) from removed
)
select removed.id from removed, logged
