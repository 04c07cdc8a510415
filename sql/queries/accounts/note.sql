-- note: stores the viewer's private note about an account; an empty text removes it.
-- $1 viewer bigint
-- $2 target bigint
-- $3 comment text
-- rows: one; events is null when nothing changed
-- plan: no sequential scan
with saved as (
  insert into account_notes as n (account_id, target_account_id, comment)
  select $1, $2, $3::text where $3 <> ''
  on conflict (account_id, target_account_id) do update set comment = excluded.comment, updated_at = now()
  where n.comment <> excluded.comment
  returning n.account_id
), removed as (
  delete from account_notes n where n.account_id = $1 and n.target_account_id = $2 and $3 = ''
  returning n.account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'relationship.changed', $1, $2, '{"change": "note"}'::jsonb
  from (select saved.account_id from saved union all select removed.account_id from removed) change
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
