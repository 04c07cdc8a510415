-- delete: hides statuses of their authors everywhere, with their boosts; a job deletes them for
-- good later (purge). A job also removes the boosts and notifications beyond the first hundreds, so
-- that this statement is fast for any status, and those that were made while it waited for them
-- (delete_boosts). Pins and entries of direct conversations are removed now. Replies stay, without
-- their parent; the job takes it from those beyond the first hundreds. Attachments are detached, so
-- that the author can use them again, unless they are to be deleted or are evidence for moderators:
-- a job withholds the files of these from all others. The counters of an account are updated once,
-- since a statement updates a row only once: the author may also have boosted the status. They are
-- locked before those of statuses. A boost that is undone while this waits for it is asked for
-- again, so that it counts once.
-- $1 authors bigint[]
-- $2 statuses bigint[]
-- $3 keep_media boolean
-- rows: one for each that its author has; the first has the events of all
-- plan: no sequential scan; `= any (array(…))` keeps the counters one of index look-ups
with given as materialized (
  select s.id as status, s.account_id as author
  from unnest((select $1::bigint[]), (select $2::bigint[])) g (author, status)
  join statuses s on s.id = g.status and s.account_id = g.author
  order by s.id
  for no key update of s
), removed as materialized (
  update statuses s set deleted_at = now()
  from given
  where s.id = given.status and s.account_id = given.author and s.deleted_at is null
  returning s.id, s.account_id, s.visibility, s.reblog_of_id, s.in_reply_to_id, s.conversation_id, s as row
), boosts as materialized (
  update statuses b set deleted_at = now()
  where b.id in (
    select o.id
    from removed
    cross join lateral (
      select o.id from statuses o where o.reblog_of_id = removed.id and o.deleted_at is null order by o.id desc limit 500
    ) o
  )
    and b.deleted_at is null
  returning b.id, b.account_id, b.reblog_of_id, b as row
), orphans as materialized (
  select reply.id, removed.account_id as author, removed.id as parent
  from removed
  cross join lateral release_replies(removed.id, (select count(*) from removed)) reply (id)
), unpinned as materialized (
  select remove_pins(removed.id) from removed
), released as (
  update media_attachments m set status_id = null, created_at = now()
  from removed
  where m.status_id = removed.id and $3 and not is_evidence(removed.row)
), muted_rows as (
  delete from notifications n
  where n.id in (
    select o.id
    from removed
    cross join lateral (select o.id from notifications o where o.status_id = removed.id limit 500) o
    union all
    select b.id
    from removed
    join statuses o on o.id = removed.reblog_of_id
    join notifications b on b.account_id = o.account_id and b.type = 'reblog' and b.from_account_id = removed.account_id
      and b.activity_id = removed.id
  )
  returning n.id, n.status_id
), queued as materialized (
  select enqueue('statuses.delete_boosts', json_build_object('status_id', removed.id::text))
  from removed
  where has_boosts_left(removed.id, (select count(*) from boosts where boosts.reblog_of_id = removed.id))
    or (select count(*) from muted_rows where muted_rows.status_id = removed.id) >= 500
    or (select count(*) from orphans where orphans.parent = removed.id) >= 500
), withheld as materialized (
  select enqueue(
    'moderation.withhold_files', json_build_object('account', removed.account_id::text, 'statuses', array[removed.id::text])
  )
  from removed
  where exists (select from media_attachments m where m.status_id = removed.id) and is_evidence(removed.row)
), unquoted as (
  update quotes q set state = 'revoked'
  from removed
  where q.status_id = removed.id and q.state = 'accepted'
  returning q.quoted_status_id, removed.account_id as author
), authors_counted as (
  update account_stats c set statuses_count = greatest(c.statuses_count - less.amount, 0)
  from (
    select lost.account_id, count(*) as amount
    from (
      select removed.account_id from removed where removed.visibility <> 'direct'
      union all
      select boosts.account_id from boosts
    ) lost
    group by lost.account_id
  ) less
  where c.account_id = less.account_id
  returning c.account_id
), less as materialized (
  select
    t.status_id, min(t.author) as author, sum(t.replies) as replies, sum(t.reblogs) as reblogs, sum(t.quotes) as quotes
  from (
    select removed.in_reply_to_id as status_id, removed.account_id as author, 1 as replies, 0 as reblogs, 0 as quotes
    from removed
    where removed.in_reply_to_id is not null and removed.visibility in ('public', 'unlisted')
    union all
    select removed.reblog_of_id, removed.account_id, 0, 1, 0 from removed where removed.reblog_of_id is not null
    union all
    select u.quoted_status_id, u.author, 0, 0, 1 from unquoted u
  ) t
  where (select count(*) from authors_counted) >= 0
  group by t.status_id
), counted as (
  update status_stats c set
    replies_count = greatest(c.replies_count - less.replies, 0),
    reblogs_count = greatest(c.reblogs_count - less.reblogs, 0),
    quotes_count = greatest(c.quotes_count - less.quotes, 0)
  from less
  where c.status_id = less.status_id and c.status_id = any (array(select less.status_id from less))
  returning c.status_id, less.author
), left_conversations as materialized (
  select leave_conversations(gone.conversation_id, gone.ids, gone.author) as events
  from (
    select removed.conversation_id, min(removed.account_id) as author, array_agg(removed.id) as ids
    from removed
    where removed.visibility = 'direct'
    group by removed.conversation_id
    order by removed.conversation_id
  ) gone
), logged as (
  insert into events (kind, actor_id, account_id, status_id, object_id, data)
  select 'status.deleted', removed.account_id, null::bigint, removed.id, null::bigint, status_facts(removed.row) from removed
  union all
  select 'status.deleted', boosts.account_id, null, boosts.id, null, status_facts(boosts.row) from boosts
  union all
  select 'status.counted', counted.author, null, counted.status_id, null, '{}' from counted
  union all
  select 'status.counted', orphans.author, null, orphans.id, null, '{}' from orphans
  returning event_json(events) as event
)
select
  removed.id, (select count(*) from queued)::integer as queued,
  case when removed.id = (select min(r.id) from removed r) then (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select e.event from left_conversations l cross join jsonb_array_elements(l.events) e (event)
    ) every
  ) end as events
from removed
where (select count(*) from unpinned) + (select count(*) from withheld) >= 0
