-- notify_followers: notifies a batch of the followers who want a notification for each post of an
-- author. Repeating it notifies nobody twice.
-- $1 status bigint
-- $2 after bigint
-- $3 limit integer
-- rows: one; last: the follow after which the next batch begins, null after the last batch
-- plan: no sequential scan
with post as materialized (
  select
    s.id, s.account_id, s.language, s.visibility,
    array(select m.account_id from mentions m where m.status_id = s.id and not m.silent) as mentioned
  from statuses s
  where s.id = $1 and s.deleted_at is null
), part as materialized (
  select f.id, f.account_id, f as follow
  from post
  join follows f on f.target_account_id = post.account_id and f.notify
  where f.id > $2
  order by f.id
  limit $3::integer
), notified as materialized (
  select
    notify_all(
      array_agg(part.account_id order by part.id), array_agg(post.account_id), 'status', array_agg(post.id), array_agg(post.id)
    ) as events
  from post cross join part
  where wants_post_notification(part.follow, post.language, post.visibility, post.mentioned)
)
select
  case when count(*) = $3 then max(part.id) end as last,
  (select nullif(notified.events, '[]') from notified) as events
from part
