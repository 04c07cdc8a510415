-- set_quote_policy: sets who may quote a status of its author. This is no edit; the event is logged
-- only when the policy changes. Private and direct statuses cannot be quoted by others.
-- $1 author bigint
-- $2 status bigint
-- $3 policy text
-- rows: none when it did not change
-- plan: no sequential scan
with changed as (
  update statuses s set quote_approval_policy = case when s.visibility in ('public', 'unlisted') then $3::text else 'nobody' end
  where s.id = $2 and s.account_id = $1 and s.deleted_at is null
    and s.quote_approval_policy <> case when s.visibility in ('public', 'unlisted') then $3::text else 'nobody' end
  returning s.id, s as row
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.updated', $1, changed.id, status_facts(changed.row) || '{"reason": "quote_policy"}' from changed
  returning event_json(events) as event
)
select changed.id, (select jsonb_agg(logged.event) from logged) as events from changed
