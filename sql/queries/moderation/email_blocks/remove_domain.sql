-- remove_domain: removes the block of an e-mail domain, and those of its mail servers.
-- $1 moderator bigint
-- $2 domain text
-- rows: one when it was blocked
-- plan: no sequential scan
with removed as (
  delete from email_domain_blocks b where b.domain = $2 returning b.id, b.domain
), logged as materialized (
  select log_action($1, 'destroy', 'EmailDomainBlock', removed.id, removed.domain) from removed
)
select removed.id from removed, logged
