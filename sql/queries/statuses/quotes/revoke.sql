-- revoke: the author of a quoted status revokes a quote, or rejects it. Has no effect when
-- repeated.
-- $1 viewer bigint
-- $2 quote bigint
-- rows: none when nothing changed
-- plan: no sequential scan
with old as materialized (
  select q.id, q.state
  from quotes q
  where q.id = $2 and q.quoted_account_id = $1 and q.state in ('accepted', 'pending')
  for update
), revoked as (
  update quotes q set state = case old.state when 'accepted' then 'revoked' else 'rejected' end
  from old
  where q.id = old.id
  returning q.id, q.status_id, q.account_id, q.quoted_status_id, old.state as was
), counted as (
  update status_stats c set quotes_count = greatest(c.quotes_count - 1, 0)
  from revoked
  where c.status_id = revoked.quoted_status_id and revoked.was = 'accepted'
  returning c.status_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.updated', revoked.account_id, s.id, status_facts(s) from revoked join statuses s on s.id = revoked.status_id
  union all
  select 'status.counted', $1, counted.status_id, '{}' from counted
  returning event_json(events) as event
)
select revoked.id, (select jsonb_agg(logged.event) from logged) as events from revoked
