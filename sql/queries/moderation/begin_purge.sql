-- begin_purge: locks a suspended account whose data have not been deleted, and records the deletion
-- in the audit log.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none or one
-- plan: one row by key
with found as materialized (
  select a.id, handle_of(a) as handle
  from accounts a
  where a.id = $2 and a.suspended_at is not null and a.deletion_requested_at is null
  for no key update
)
select found.id, log_action($1::bigint, 'purge', 'Account', found.id, found.handle) as entry from found
