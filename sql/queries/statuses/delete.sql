-- delete: hides a status of its author everywhere, with its boosts; a job deletes it for good later
-- (purge). A job also removes the boosts and notifications beyond the first hundreds, so that this
-- statement is fast for any status (delete_boosts). Pins and entries of direct conversations are
-- removed now. Replies stay, without their parent. Attachments are detached, so that the author can
-- use them again, unless they are to be deleted or are evidence for moderators.
-- The counters of an account are updated once, since a statement updates a row only once: the
-- author may also have boosted the status.
-- $1 author bigint
-- $2 status bigint
-- $3 keep_media boolean
-- rows: none when the author has no such status, else one
-- plan: no sequential scan; `= any (array(…))` keeps the counters one of index look-ups
with removed as materialized (
  update statuses s set deleted_at = now()
  where s.id = $2 and s.account_id = $1 and s.deleted_at is null
  returning s.id, s.visibility, s.reblog_of_id, s.in_reply_to_id, s.conversation_id, s as row
), boosts as materialized (
  update statuses b set deleted_at = now()
  where b.id in (
    select o.id from removed join statuses o on o.reblog_of_id = removed.id where o.deleted_at is null order by o.id desc limit 500
  )
  returning b.id, b.account_id, b as row
), orphans as (
  update statuses r set in_reply_to_id = null
  from removed
  where r.in_reply_to_id = removed.id
  returning r.id
), unpinned as (
  delete from status_pins p using removed where p.status_id = removed.id
), released as (
  update media_attachments m set status_id = null, created_at = now()
  from removed
  where m.status_id = removed.id and $3 and not is_evidence(removed.row)
), muted_rows as (
  delete from notifications n
  where n.id in (
    (select o.id from removed join notifications o on o.status_id = removed.id limit 500)
    union all
    select b.id
    from removed
    join statuses o on o.id = removed.reblog_of_id
    join notifications b on b.account_id = o.account_id and b.type = 'reblog' and b.from_account_id = $1
      and b.activity_id = removed.id
  )
  returning n.id
), queued as materialized (
  select enqueue('statuses.delete_boosts', json_build_object('status_id', removed.id::text))
  from removed
  where (select count(*) from boosts) = 500 or (select count(*) from muted_rows) >= 500
), unquoted as (
  update quotes q set state = 'revoked'
  from removed
  where q.status_id = removed.id and q.state = 'accepted'
  returning q.quoted_status_id
), authors_counted as (
  update account_stats c set statuses_count = greatest(c.statuses_count - less.amount, 0)
  from (
    select lost.account_id, count(*) as amount
    from (
      select $1 as account_id from removed where removed.visibility <> 'direct'
      union all
      select boosts.account_id from boosts
    ) lost
    group by lost.account_id
  ) less
  where c.account_id = less.account_id
), counted as (
  update status_stats c set
    replies_count = greatest(c.replies_count - case when c.status_id = removed.in_reply_to_id and removed.visibility in ('public', 'unlisted') then 1 else 0 end, 0),
    reblogs_count = greatest(c.reblogs_count - case when c.status_id = removed.reblog_of_id then 1 else 0 end, 0),
    quotes_count = greatest(c.quotes_count - case when c.status_id in (select u.quoted_status_id from unquoted u) then 1 else 0 end, 0)
  from removed
  where c.status_id = any (array(
    select removed.reblog_of_id from removed
    union all
    select removed.in_reply_to_id from removed where removed.visibility in ('public', 'unlisted')
    union all
    select u.quoted_status_id from unquoted u
  ))
  returning c.status_id
), shortened as (
  update account_conversations k set
    status_ids = array_remove(k.status_ids, removed.id),
    last_status_id = (select max(left_over) from unnest(array_remove(k.status_ids, removed.id)) left_over)
  from removed
  where k.conversation_id = removed.conversation_id and k.status_ids @> array[removed.id] and cardinality(k.status_ids) > 1
  returning k.id, k.account_id
), cleared as (
  delete from account_conversations k using removed
  where k.conversation_id = removed.conversation_id and k.status_ids = array[removed.id]
  returning k.id, k.account_id
), logged as (
  insert into events (kind, actor_id, account_id, status_id, object_id, data)
  select 'status.deleted', $1, null::bigint, removed.id, null::bigint, status_facts(removed.row) from removed
  union all
  select 'status.deleted', boosts.account_id, null, boosts.id, null, status_facts(boosts.row) from boosts
  union all
  select 'status.counted', $1, null, counted.status_id, null, '{}' from counted
  union all
  select 'status.counted', $1, null, orphans.id, null, '{}' from orphans
  union all
  select 'conversation.changed', $1, changed.account_id, $2, changed.id, '{}'
  from (select * from shortened union all select * from cleared) changed
  returning event_json(events) as event
)
select removed.id, (select count(*) from queued)::integer as queued, (select jsonb_agg(logged.event) from logged) as events
from removed
