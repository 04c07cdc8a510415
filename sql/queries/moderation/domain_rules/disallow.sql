-- disallow: limited federation mode federates with a domain no longer.
-- $1 moderator bigint
-- $2 domain text
-- rows: one, or none when it was not allowed
-- plan: no sequential scan of accounts
with gone as (
  delete from domain_allows d where d.domain = $2 returning d.id, d.domain
), logged as materialized (
  select log_action($1, 'destroy', 'DomainAllow', gone.id, gone.domain) from gone
), told as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, gone.id, '{"what": "domain_allows"}' from gone, logged
  returning event_json(events) as event
)
select gone.id, (select jsonb_agg(told.event) from told) as events from gone
