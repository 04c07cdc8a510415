-- allow: limited federation mode federates with a domain.
-- $1 moderator bigint
-- $2 domain text
-- rows: one, or none when it was allowed
-- plan: no sequential scan of accounts
with made as (
  insert into domain_allows (domain) values ($2) on conflict (domain) do nothing returning domain_allows.id, domain_allows.domain
), logged as materialized (
  select log_action($1, 'create', 'DomainAllow', made.id, made.domain) from made
), told as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, made.id, '{"what": "domain_allows"}' from made, logged
  returning event_json(events) as event
)
select made.id, (select jsonb_agg(told.event) from told) as events from made
