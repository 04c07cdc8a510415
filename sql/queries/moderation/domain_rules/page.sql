-- page: the rules about domains, newest first; with by_domain those whose domain
-- contains it. With min_id the page directly above it.
-- $1 max_id bigint
-- $2 since_id bigint
-- $3 min_id bigint
-- $4 limit integer
-- $5 by_domain text
-- rows: at most $4
-- plan: no sequential scan
select
  part.id, part.domain, part.severity, part.reject_media, part.reject_reports, part.private_comment, part.public_comment, part.obfuscate, part.created_at
from (
  (
    select b.id, b.domain, b.severity, b.reject_media, b.reject_reports, b.private_comment, b.public_comment, b.obfuscate, b.created_at
    from domain_blocks b
    where $3::bigint is null and b.id < coalesce($1::bigint, 9223372036854775807) and b.id > coalesce($2::bigint, 0)
      and strpos(b.domain, coalesce($5::text, '')) > 0
    order by b.id desc
    limit $4::integer
  )
  union all
  (
    select b.id, b.domain, b.severity, b.reject_media, b.reject_reports, b.private_comment, b.public_comment, b.obfuscate, b.created_at
    from domain_blocks b
    where $3 is not null and b.id > $3 and b.id < coalesce($1, 9223372036854775807)
      and strpos(b.domain, coalesce($5, '')) > 0
    order by b.id
    limit $4::integer
  )
) part
order by part.id desc
