-- reject: locks a user who waits for approval and will be deleted, and records the rejection in the
-- audit log.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none when the account has no user, else one; rejected: false when it is approved
-- plan: no sequential scan
with found as materialized (
  select u.id, handle_of(a) as handle, not u.approved as waits
  from users u
  join accounts a on a.id = u.account_id
  where u.account_id = $2
  for update of u
), noted as materialized (
  select log_action($1::bigint, 'reject', 'User', found.id, found.handle) from found where found.waits
)
select (select count(*) from noted) > 0 as rejected from found
