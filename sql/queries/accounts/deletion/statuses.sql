-- statuses: deletes up to 200 statuses of an account for good, newest first. While they have more
-- than a thousand boosts, deletes a thousand of those boosts instead. Decrements the counters of
-- the statuses that they answer, boost or quote, and logs an event for each. Those of open reports
-- are only hidden, with their files, if $2; they are purged some time after the report is resolved.
-- $1 account bigint
-- $2 keeps_evidence boolean
-- rows: one; removed: how many were deleted or hidden; withheld: 1 if some were hidden
-- plan: no sequential scan where there are many statuses
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
    where q.state = 'accepted' and q.quoted_status_id is not null
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
), with_language as materialized (
  select k.id, k.account_id, array(
    select i from unnest(k.status_ids) i where i not in (select going.id from going) order by i
  ) as remaining
  from account_conversations k
  where k.conversation_id in (select g.conversation_id from going g where g.visibility = 'direct')
), shortened as (
  update account_conversations k
  set status_ids = with_language.remaining, last_status_id = with_language.remaining[cardinality(with_language.remaining)]
  from with_language
  where k.id = with_language.id and cardinality(with_language.remaining) > 0 and with_language.remaining <> k.status_ids
  returning k.id, k.account_id
), cleared as (
  delete from account_conversations k using with_language where k.id = with_language.id and cardinality(with_language.remaining) = 0
  returning k.id, k.account_id
), removed as (
  delete from statuses s using going where s.id = going.id and s.id not in (select evidence.id from evidence)
  returning s.id
), hidden as materialized (
  update statuses s set deleted_at = coalesce(s.deleted_at, now())
  from going
  where s.id = going.id and s.id in (select evidence.id from evidence)
  returning s.id
), withheld as materialized (
  select enqueue('moderation.withhold_files', json_build_object('account', $1::text))
  where exists (select from hidden)
), logged as (
  insert into events (kind, actor_id, account_id, status_id, object_id, data)
  select 'status.deleted', g.account_id, null::bigint, g.id, null::bigint, g.facts from going g where g.deleted_at is null
  union all
  select 'status.counted', null, null, changed.status_id, null, '{}'
  from (select uncounted.status_id from uncounted union select orphans.id from orphans) changed
  union all
  select 'conversation.changed', null, changed.account_id, null, changed.id, '{}'
  from (select * from shortened union all select * from cleared) changed
  returning event_json(events) as event
)
select
  ((select count(*) from removed) + (select count(*) from hidden))::integer as removed,
  (select count(*) from withheld)::integer as withheld,
  (select jsonb_agg(logged.event) from logged) as events
