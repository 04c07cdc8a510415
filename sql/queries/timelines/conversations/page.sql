-- page: the viewer's direct conversations, latest status first. With min_id the page directly above
-- it.
-- $1 viewer bigint
-- $2 max_id bigint
-- $3 since_id bigint
-- $4 min_id bigint
-- $5 limit integer
-- rows: at most $5; cursor: the id of the last status
-- plan: no sequential scan
select part.id, part.participants, part.last_status_id, part.unread, part.cursor
from (
  (
    select
      c.id, c.participant_account_ids as participants, c.last_status_id, c.unread, c.last_status_id as cursor
    from account_conversations c
    where $4::bigint is null and c.account_id = $1
      and c.last_status_id < coalesce($2::bigint, 9223372036854775807) and c.last_status_id > coalesce($3::bigint, 0)
    order by c.last_status_id desc
    limit $5::integer
  )
  union all
  (
    select
      c.id, c.participant_account_ids as participants, c.last_status_id, c.unread, c.last_status_id as cursor
    from account_conversations c
    where $4 is not null and c.account_id = $1
      and c.last_status_id > $4 and c.last_status_id < coalesce($2, 9223372036854775807)
    order by c.last_status_id
    limit $5::integer
  )
) part
order by part.cursor desc, part.id desc
