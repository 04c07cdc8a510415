-- add_address: blocks an address, given as such or by the hash of its canonical form.
-- $1 moderator bigint
-- $2 email text
-- $3 hash text
-- rows: one; none when it is blocked already
-- plan: no sequential scan
with created as (
  insert into canonical_email_blocks (canonical_email_hash) values (coalesce(canonical_email_hash($2::text), $3::text))
  on conflict (canonical_email_hash) do nothing
  returning canonical_email_blocks.id, canonical_email_blocks.canonical_email_hash
), logged as materialized (
  select log_action($1, 'create', 'CanonicalEmailBlock', created.id, created.canonical_email_hash) from created
)
select created.id, created.canonical_email_hash from created, logged
