-- add_domain: blocks an e-mail domain.
-- $1 domain text
-- $2 allow_with_approval boolean
-- $3 parent bigint
-- rows: one; none when it is blocked already
-- plan: no sequential scan
insert into email_domain_blocks (domain, allow_with_approval, parent_id) values ($1, $2, $3::bigint)
on conflict (domain) do nothing
returning email_domain_blocks.id
