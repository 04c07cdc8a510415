-- disallow: removes a domain from the list of limited federation mode.
-- $1 moderator bigint
-- $2 domain text
-- rows: one, or none when it was not allowed
-- plan: no sequential scan of accounts
with removed as (
  delete from domain_allows d where d.domain = $2 returning d.id, d.domain
), logged as materialized (
  select log_action($1, 'destroy', 'DomainAllow', removed.id, removed.domain) from removed
), logged_event as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, removed.id, '{"change": "domain_allows"}' from removed, logged
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged_event.event) from logged_event) as events from removed
