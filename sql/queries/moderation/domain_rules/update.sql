-- update: changes a rule about a domain, and records that in the audit log. Null values stay as
-- they are at that moment. Values that it has already are no change: programs that synchronise
-- lists send all rules again.
-- $1 moderator bigint
-- $2 rule bigint
-- $3 severity text
-- $4 reject_media boolean
-- $5 reject_reports boolean
-- $6 public_comment text
-- $7 private_comment text
-- $8 obfuscate boolean
-- rows: one, or none when there is no such rule; since: the time of the limits that the rule sets;
--   severity, rejects_media: as they were
-- plan: no sequential scan of accounts
with before as materialized (
  select b.id, b.severity, b.reject_media, b.created_at from domain_blocks b where b.id = $2 for update
), changed as (
  update domain_blocks b
  set
    severity = coalesce($3, b.severity), reject_media = coalesce($4, b.reject_media),
    reject_reports = coalesce($5, b.reject_reports), public_comment = coalesce($6, b.public_comment),
    private_comment = coalesce($7, b.private_comment), obfuscate = coalesce($8, b.obfuscate), updated_at = now()
  from before
  where b.id = before.id and (
    coalesce($3, b.severity), coalesce($4, b.reject_media), coalesce($5, b.reject_reports), coalesce($6, b.public_comment),
    coalesce($7, b.private_comment), coalesce($8, b.obfuscate)
  ) is distinct from (b.severity, b.reject_media, b.reject_reports, b.public_comment, b.private_comment, b.obfuscate)
  returning b.id, b.domain
), logged as materialized (
  select log_action($1, 'update', 'DomainBlock', changed.id, changed.domain) from changed
), logged_event as (
  insert into events (kind, actor_id, object_id, data)
  select 'instance.changed', $1, changed.id, '{"change": "domain_blocks"}' from changed, logged
  returning event_json(events) as event
)
select
  before.created_at::text as since, before.severity, before.reject_media as rejects_media,
  (select jsonb_agg(logged_event.event) from logged_event) as events
from before
