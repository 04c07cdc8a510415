-- notify_quoters: notifies a batch of the accounts that quote a status of its edit, unless its
-- author is suspended; replaces their earlier notifications of edits. Repeating it notifies nobody
-- twice.
-- $1 status bigint
-- $2 after bigint
-- $3 limit integer
-- $4 since timestamptz
-- rows: one; last: the quote after which the next batch begins, null after the last batch
-- plan: no sequential scan
with post as materialized (
  select s.id, s.account_id
  from statuses s
  join accounts author on author.id = s.account_id and author.suspended_at is null
  where s.id = $1 and s.deleted_at is null
), part as materialized (
  select q.id, q.account_id, q.status_id
  from post
  join quotes q on q.quoted_status_id = post.id and q.state = 'accepted'
  join statuses s on s.id = q.status_id and s.deleted_at is null
  where q.id > $2
  order by q.id
  limit $3::integer
), notified as materialized (
  select
    notify_all(
      array_agg(part.account_id order by part.id), array_agg(post.account_id), 'quoted_update',
      array_agg(part.status_id order by part.id), array_agg(part.id order by part.id)
    ) as events
  from post cross join part
  where not exists (
    select from notifications n
    where n.account_id = part.account_id and n.type = 'quoted_update' and n.from_account_id = post.account_id
      and n.activity_id = part.id and n.created_at >= $4
  )
)
select
  case when count(*) = $3 then max(part.id) end as last,
  (select nullif(notified.events, '[]') from notified) as events
from part
