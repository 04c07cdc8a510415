-- unblock: takes a rule about a domain back, and notes it in the log.
-- $1 moderator bigint
-- $2 domain text
-- rows: one, or none when there is no such rule; since: the time of the limits that came of it
-- plan: no sequential scan of accounts
with gone as (
  delete from domain_blocks b where b.domain = $2 returning b.id, b.domain, b.created_at
), logged as materialized (
  select log_action($1, 'destroy', 'DomainBlock', gone.id, gone.domain) from gone
), told as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, gone.id, '{"what": "domain_blocks"}' from gone, logged
  returning event_json(events) as event
)
select gone.created_at::text as since, (select jsonb_agg(told.event) from told) as events from gone
