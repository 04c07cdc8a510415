-- block: stores a rule about a domain, and records it in the audit log.
-- $1 moderator bigint
-- $2 domain text
-- $3 severity text
-- $4 reject_media boolean
-- $5 reject_reports boolean
-- $6 public_comment text
-- $7 private_comment text
-- $8 obfuscate boolean
-- rows: one, or none when the domain has a rule
-- plan: no sequential scan of accounts
with created as (
  insert into domain_blocks (domain, severity, reject_media, reject_reports, public_comment, private_comment, obfuscate)
  values ($2, $3, $4, $5, $6, $7, $8)
  on conflict (domain) do nothing
  returning domain_blocks.id, domain_blocks.domain
), logged as materialized (
  select log_action($1, 'create', 'DomainBlock', created.id, created.domain) from created
), logged_event as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, created.id, '{"change": "domain_blocks"}' from created, logged
  returning event_json(events) as event
)
select created.id, (select jsonb_agg(logged_event.event) from logged_event) as events from created
