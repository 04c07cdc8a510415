-- statuses: the statuses of an account that staff may see (staff_statuses), newest first.
-- $1 viewer bigint
-- $2 account bigint
-- $3 media boolean
-- $4 max_id bigint
-- $5 min_id bigint
-- $6 limit integer
-- rows: at most $6; $3: only those with attachments; with $5 those directly above it
-- plan: no sequential scan
select part.id
from (
  (
    select s.id
    from staff_statuses($1) s
    where s.account_id = $2 and s.deleted_at is null and s.reblog_of_id is null and $5::bigint is null
      and (not $3::boolean or s.media_attachment_ids <> '{}') and s.id < coalesce($4::bigint, 9223372036854775807)
    order by s.id desc
    limit $6::integer
  )
  union all
  (
    select s.id
    from staff_statuses($1) s
    where s.account_id = $2 and s.deleted_at is null and s.reblog_of_id is null and $5 is not null
      and (not $3 or s.media_attachment_ids <> '{}') and s.id > $5
    order by s.id
    limit $6
  )
) part
order by part.id desc
