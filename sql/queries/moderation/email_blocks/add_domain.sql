-- add_domain: blocks an e-mail domain.
-- $1 moderator bigint
-- $2 domain text
-- $3 allow_with_approval boolean
-- $4 parent bigint
-- rows: one; none when it is blocked already
-- plan: no sequential scan
with created as (
  insert into email_domain_blocks (domain, allow_with_approval, parent_id) values ($2, $3, $4::bigint)
  on conflict (domain) do nothing
  returning email_domain_blocks.id, email_domain_blocks.domain
), logged as materialized (
  select log_action($1, 'create', 'EmailDomainBlock', created.id, created.domain) from created
)
select created.id from created, logged
