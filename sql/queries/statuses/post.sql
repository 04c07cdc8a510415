-- post: stores a new status with all that follows from it in the same commit: mentions, tags, media, counters, the conversation,
-- notifications and events. Its text, and whom and what it refers to, have been settled before (compose).
-- Nothing is stored when another post of the author took the same Idempotency-Key within the hour: of two at the same time the second
-- waits here for the first. Nor when one of the attachments has been taken meanwhile;
-- those of a status that was scheduled are reserved for it.
-- Of followers who want to be notified of each post a hundred are told here; more are left to a job, because a long transaction holds
-- back the event log.
-- CTEs are ordered by what they read from each other: notify looks at mentions, so it waits for the count of them.
-- $1 author bigint
-- $2 text text
-- $3 content text
-- $4 spoiler_text text
-- $5 visibility visibility
-- $6 sensitive boolean
-- $7 language text
-- $8 in_reply_to bigint
-- $9 in_reply_to_account bigint
-- $10 conversation bigint
-- $11 application bigint
-- $12 quote_policy text
-- $13 mentioned bigint[]
-- $14 tags bigint[]
-- $15 tag_names text[]
-- $16 media bigint[]
-- $17 idempotency_key text
-- $18 scheduled bigint
-- $19 has_link boolean
-- $20 collections bigint[]
-- rows: one, or none when nothing was stored
-- plan: no sequential scan
with fresh as materialized (
  select snowflake() as id
), claimed as (
  insert into idempotency_keys as k (account_id, key, status_id)
  select $1, $17, fresh.id from fresh where $17::text is not null
  on conflict (account_id, key) do update set status_id = excluded.status_id, scheduled_status_id = null, created_at = now()
  where k.created_at < now() - interval '1 hour'
  returning k.status_id
), allowed as materialized (
  select fresh.id from fresh where $17::text is null or exists (select from claimed)
), attached as (
  update media_attachments m set status_id = allowed.id, scheduled_status_id = null
  from allowed
  where m.id = any ($16::bigint[]) and m.account_id = $1 and m.status_id is null and m.scheduled_status_id is not distinct from $18::bigint
  returning m.id
), ready as materialized (
  select allowed.id from allowed where (select count(*) from attached) = cardinality($16::bigint[])
), opened as (
  insert into conversations (created_at) select now() from ready where $10::bigint is null
  returning conversations.id
), stored as (
  insert into statuses (
    id, account_id, text, content, spoiler_text, visibility, sensitive, language, in_reply_to_id, in_reply_to_account_id,
    conversation_id, application_id, media_attachment_ids, quote_approval_policy
  )
  select
    ready.id, $1, $2, $3, $4, $5, $6, $7, $8::bigint, $9::bigint, coalesce($10, (select opened.id from opened)), $11, $16, $12
  from ready
  returning statuses.id, statuses.conversation_id, statuses as row
), named as (
  insert into mentions (status_id, account_id)
  select stored.id, given.account_id from stored cross join unnest($13::bigint[]) with ordinality given (account_id, place)
  order by given.place
  returning mentions.id, mentions.account_id
), linked as (
  insert into status_collections (status_id, collection_id)
  select stored.id, c.id from stored cross join visible_collections($1) c where c.id = any ($20::bigint[])
), tagged as (
  insert into status_tags (tag_id, status_id) select given.tag_id, stored.id from stored cross join unnest($14::bigint[]) given (tag_id)
), used as (
  update tags t set last_status_at = now()
  where t.id in (
    select old.id from tags old
    where old.id = any ($14::bigint[]) and (old.last_status_at is null or old.last_status_at < now() - interval '1 hour')
    for update skip locked
  )
), counted as (
  insert into account_stats as c (account_id, statuses_count, last_status_at)
  select $1, 1, now() from stored where $5 <> 'direct'
  on conflict (account_id) do update set statuses_count = c.statuses_count + 1, last_status_at = excluded.last_status_at
), answered as (
  insert into status_stats as c (status_id, replies_count)
  select $8::bigint, 1 from stored where $8::bigint is not null and $5 in ('public', 'unlisted')
  on conflict (status_id) do update set replies_count = c.replies_count + 1
  returning c.status_id
), told as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.created', $1, stored.id, status_facts(stored.row, $13, '{}', $15::text[]) from stored
  union all
  select 'status.counted', $1, answered.status_id, '{}' from answered
  returning event_json(events) as event
), followers as materialized (
  select f.account_id, f as follow
  from stored
  join follows f on f.target_account_id = $1 and f.notify
  where $8::bigint is null or $9 = $1
  limit 101
), hearers as materialized (
  select named.account_id, 'mention' as type, named.id as activity_id from named
  union all
  select followers.account_id, 'status', stored.id
  from stored cross join followers
  where (select count(*) from followers) <= 100 and hears_of(followers.follow, $7, $5, $13)
), queued as materialized (
  select graphile_worker.add_job(
    'statuses:notify', json_build_object('status_id', stored.id::text, 'type', 'status'), max_attempts => 12
  )
  from stored
  where (select count(*) from followers) > 100
), previewed as materialized (
  select preview_status(stored.id) from stored where $19::boolean
), notified as materialized (
  select hearers.type, hearers.account_id, notify(hearers.account_id, $1, hearers.type, stored.id, hearers.activity_id) as event
  from stored cross join (select count(*) from named) all_named cross join hearers
), entered as materialized (
  select enter_conversation(owner.account_id, stored.conversation_id, stored.id, $13 || $1, owner.account_id <> $1) as event
  from stored
  cross join (
    select $1 as account_id
    union all
    select notified.account_id from notified
    where notified.type = 'mention' and notified.event is not null and not (notified.event -> 'data' ->> 'filtered')::boolean
  ) owner
  where $5 = 'direct'
)
select
  stored.id,
  ((select count(*) from queued) + (select count(*) from previewed))::integer as queued,
  (
    select jsonb_agg(every.event)
    from (
      select told.event from told
      union all
      select notified.event from notified where notified.event is not null
      union all
      select entered.event from entered
    ) every
  ) as events
from stored
