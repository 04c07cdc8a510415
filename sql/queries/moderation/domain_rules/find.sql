-- find: a rule about a domain.
-- $1 id bigint
-- rows: one, or none when there is no such rule
-- plan: no sequential scan
select
  b.id, b.domain, b.severity, b.reject_media, b.reject_reports, b.private_comment, b.public_comment, b.obfuscate, b.created_at
from domain_blocks b
where b.id = $1
