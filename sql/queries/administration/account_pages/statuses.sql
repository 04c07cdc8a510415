-- statuses: the statuses of an account for staff, newest first, regardless of visibility.
-- $1 account bigint
-- $2 media boolean
-- $3 max_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- rows: at most $5; $2: only those with attachments; with $4 those directly above it
-- plan: no sequential scan
select part.id
from (
  (
    select s.id
    from statuses s
    where s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null and $4::bigint is null
      and (not $2::boolean or s.media_attachment_ids <> '{}') and s.id < coalesce($3::bigint, 9223372036854775807)
    order by s.id desc
    limit $5::integer
  )
  union all
  (
    select s.id
    from statuses s
    where s.account_id = $1 and s.deleted_at is null and s.reblog_of_id is null and $4 is not null
      and (not $2 or s.media_attachment_ids <> '{}') and s.id > $4
    order by s.id
    limit $5
  )
) part
order by part.id desc
