-- begin_deletion: locks a local account with a user that is not being deleted, and records its
-- deletion in the audit log.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none or one
-- plan: one row by key
with found as materialized (
  select a.id, handle_of(a) as handle
  from accounts a
  where a.id = $2 and a.deletion_requested_at is null and exists (select from users u where u.account_id = a.id)
  for no key update
)
select found.id, log_action($1::bigint, 'destroy', 'Account', found.id, found.handle) as entry from found
