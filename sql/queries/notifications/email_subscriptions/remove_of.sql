-- remove_of: ends one or all subscriptions to the posts of an account, for the staff, and records
-- it in the audit log.
-- $1 moderator bigint
-- $2 account bigint
-- $3 email text
-- rows: one; how many, also unconfirmed ones
-- plan: no sequential scan
with removed as (
  delete from email_subscriptions s where s.account_id = $2 and ($3::text is null or s.email = $3)
  returning s.id
), recorded as materialized (
  select log_action($1::bigint, 'destroy', 'EmailSubscription', a.id, handle_of(a))
  from accounts a
  where a.id = $2 and exists (select from removed)
)
select count(*)::integer as removed from removed where (select count(*) from recorded) >= 0
