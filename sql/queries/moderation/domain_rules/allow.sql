-- allow: adds a domain to the list of limited federation mode.
-- $1 moderator bigint
-- $2 domain text
-- rows: one, or none when it was allowed
-- plan: no sequential scan of accounts
with created as (
  insert into domain_allows (domain) values ($2) on conflict (domain) do nothing returning domain_allows.id, domain_allows.domain
), logged as materialized (
  select log_action($1, 'create', 'DomainAllow', created.id, created.domain) from created
), logged_event as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, created.id, '{"change": "domain_allows"}' from created, logged
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged_event.event) from logged_event) as events from created
