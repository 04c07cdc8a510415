-- unblock: removes a domain rule, and records that in the audit log.
-- $1 moderator bigint
-- $2 domain text
-- rows: one, or none when there is no such rule; since: the time of the limits that the rule set
-- plan: no sequential scan of accounts
with removed as (
  delete from domain_blocks b where b.domain = $2 returning b.id, b.domain, b.created_at
), logged as materialized (
  select log_action($1, 'destroy', 'DomainBlock', removed.id, removed.domain) from removed
), logged_event as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, removed.id, '{"change": "domain_blocks"}' from removed, logged
  returning event_json(events) as event
)
select removed.created_at::text as since, (select jsonb_agg(logged_event.event) from logged_event) as events from removed
