-- statuses: deletes up to 200 statuses of an account for good, newest first. While they have more
-- than a thousand boosts, deletes a thousand of those boosts instead. Decrements the counters of
-- the statuses that they answer, boost or quote, and logs an event for each. Those of open reports
-- are only hidden, with their files, if $2; they are purged some time after the report is resolved.
-- Replies stay, without their parent; a job takes it from those beyond the first hundreds.
-- $1 account bigint
-- $2 keeps_evidence boolean
-- rows: one; removed: how many were deleted or hidden; withheld: how many jobs about hidden
--   ones were enqueued
-- plan: no sequential scan of statuses
with evidence as materialized (
  select distinct unnest(r.status_ids) as id
  from reports r
  where $2::boolean and r.target_account_id = $1 and r.action_taken_at is null
), own as materialized (
  select s.id
  from statuses s
  where s.account_id = $1 and (s.deleted_at is null or s.id not in (select evidence.id from evidence))
  order by s.id desc
  limit 200
), boosts as materialized (
  select b.id from statuses b where b.reblog_of_id in (select own.id from own) limit 1000
), going as materialized (
  select s.id, s.account_id, s.in_reply_to_id, s.reblog_of_id, s.conversation_id, s.visibility, s.deleted_at, status_facts(s) as facts
  from statuses s
  where s.id in (
    select boosts.id from boosts
    union
    select own.id from own where (select count(*) from boosts) < 1000
  )
), severed as materialized (
  select one.id, sum(one.replies) as replies, sum(one.reblogs) as reblogs, sum(one.quotes) as quotes
  from (
    select g.in_reply_to_id as id, 1 as replies, 0 as reblogs, 0 as quotes from going g
    where g.in_reply_to_id is not null and g.visibility in ('public', 'unlisted') and g.deleted_at is null
    union all
    select g.reblog_of_id, 0, 1, 0 from going g where g.reblog_of_id is not null and g.deleted_at is null
    union all
    select q.quoted_status_id, 0, 0, 1 from going g join quotes q on q.status_id = g.id
    where q.state = 'accepted' and q.quoted_status_id is not null and g.deleted_at is null
  ) one
  where one.id not in (select going.id from going)
  group by one.id
), uncounted as (
  update status_stats c
  set replies_count = greatest(0, c.replies_count - severed.replies),
    reblogs_count = greatest(0, c.reblogs_count - severed.reblogs),
    quotes_count = greatest(0, c.quotes_count - severed.quotes)
  from severed
  where c.status_id = severed.id
  returning c.status_id
), fewer as (
  update account_stats c
  set statuses_count = greatest(0, c.statuses_count - less.number)
  from (
    select g.account_id, count(*) as number from going g
    where g.visibility <> 'direct' and g.deleted_at is null
    group by g.account_id
  ) less
  where c.account_id = less.account_id
), orphans as materialized (
  select r.id from statuses r where r.in_reply_to_id in (select going.id from going) and r.id not in (select going.id from going)
), left_conversations as materialized (
  select leave_conversations(gone.conversation_id, gone.ids, null) as events
  from (
    select g.conversation_id, array_agg(g.id) as ids
    from going g
    where g.visibility = 'direct'
    group by g.conversation_id
    order by g.conversation_id
  ) gone
), removed as (
  delete from statuses s using going where s.id = going.id and s.id not in (select evidence.id from evidence)
  returning s.id
), hidden as materialized (
  update statuses s set deleted_at = coalesce(s.deleted_at, now())
  from going
  where s.id = going.id and s.id in (select evidence.id from evidence)
  returning s.id
), released as materialized (
  -- What was deleted has lost its parent by a foreign key. This follows both, since some may reply.
  select hidden.id as parent, reply.id
  from hidden
  cross join lateral release_replies(hidden.id, (select count(*) from removed) + (select count(*) from hidden)) reply (id)
), queued as materialized (
  select enqueue('statuses.delete_boosts', json_build_object('status_id', hidden.id::text))
  from hidden
  where (select count(*) from released where released.parent = hidden.id) >= 500
), withheld as materialized (
  select enqueue('moderation.withhold_files', json_build_object('account', $1::text))
  where exists (select from hidden)
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.deleted', g.account_id, g.id, g.facts from going g where g.deleted_at is null
  union all
  select 'status.counted', null, changed.status_id, '{}'
  from (
    select uncounted.status_id from uncounted
    union
    select orphans.id from orphans
    union
    select released.id from released
  ) changed
  returning event_json(events) as event
)
select
  ((select count(*) from removed) + (select count(*) from hidden))::integer as removed,
  ((select count(*) from withheld) + (select count(*) from queued))::integer as withheld,
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select e.event from left_conversations l cross join jsonb_array_elements(l.events) e (event)
    ) every
  ) as events
