-- memorialize: marks an account as that of somebody who has died, and records it in the audit log.
--  Nobody can sign in to it afterwards.
-- $1 moderator bigint
-- $2 account bigint
-- rows: none when it has no user or is a memorial already, else one; user_id: its user
-- plan: no sequential scan
with changed as (
  update accounts a set memorial = true, updated_at = now()
  from users u
  where a.id = $2 and u.account_id = a.id and not a.memorial
  returning a.id, u.id as user_id, handle_of(a) as handle
), noted as materialized (
  select log_action($1::bigint, 'memorialize', 'Account', changed.id, changed.handle) from changed
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', $1, changed.id, '{"change": "operator"}'::jsonb from changed, noted
  union all
  select 'user.changed', $1, changed.id, '{"change": "operator"}' from changed
  returning event_json(events) as event
)
select changed.user_id, (select jsonb_agg(logged.event) from logged) as events from changed
