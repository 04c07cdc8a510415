-- domain_page: the blocked e-mail domains, newest first, with their attempts as in domain_block.
-- With min_id the page directly above it.
-- $1 max_id bigint
-- $2 since_id bigint
-- $3 min_id bigint
-- $4 limit integer
-- rows: at most $4
-- plan: no sequential scan
select
  part.id, part.domain, part.created_at, part.allow_with_approval,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('day', extract(epoch from midnight(used.day))::bigint, 'uses', used.uses, 'accounts', used.addresses))
      from (
        select t.day, sum(t.uses) as uses, count(*) as addresses
        from email_domain_block_attempts t
        where t.block_id = part.id and t.day > (now() at time zone 'UTC')::date - 7
        group by t.day
      ) used
    ),
    '[]'
  ) as history
from (
  (
    select b.id, b.domain, b.created_at, b.allow_with_approval
    from email_domain_blocks b
    where $3::bigint is null and b.id < coalesce($1::bigint, 9223372036854775807) and b.id > coalesce($2::bigint, 0)
    order by b.id desc
    limit $4::integer
  )
  union all
  (
    select b.id, b.domain, b.created_at, b.allow_with_approval
    from email_domain_blocks b
    where $3 is not null and b.id > $3 and b.id < coalesce($1, 9223372036854775807)
    order by b.id
    limit $4::integer
  )
) part
order by part.id desc
