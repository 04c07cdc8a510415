-- undo: ends the redirection of an account.
-- $1 account bigint
-- rows: none when it was not redirected
-- plan: no sequential scan
with changed as (
  update accounts a set moved_to_account_id = null, updated_at = now()
  where a.id = $1 and a.moved_to_account_id is not null
  returning a.id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', changed.id, changed.id, '{"change": "moved"}'::jsonb from changed
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
