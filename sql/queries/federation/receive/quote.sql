-- quote: stores that a remote status quotes a status, or accepts its pending quote. The author of
-- an accepted quote is notified. A status that is deleted meanwhile quotes nothing. A quote alone
-- does not let the quoted author see the status: somebody's post can be shown to others in private.
-- $1 status bigint
-- $2 account bigint
-- $3 quoted bigint
-- $4 state text
-- $5 approval_uri text
-- rows: one
-- plan: no sequential scan
with quoting as materialized (
  select s.id from statuses s where s.id = $1 and s.deleted_at is null for share
), stored as (
  insert into quotes as q (status_id, account_id, quoted_status_id, quoted_account_id, state, approval_uri)
  select quoting.id, $2, s.id, s.account_id, $4, $5
  from quoting
  join statuses s on s.id = $3
  on conflict (status_id) do update set state = excluded.state, approval_uri = excluded.approval_uri
  where q.state = 'pending' and excluded.state = 'accepted' and q.quoted_status_id = excluded.quoted_status_id
  returning q.id, q.quoted_status_id, q.quoted_account_id, q.state, q.xmax <> 0 as changed
), counted as (
  insert into status_stats as c (status_id, quotes_count)
  select stored.quoted_status_id, 1 from stored where stored.state = 'accepted'
  on conflict (status_id) do update set quotes_count = c.quotes_count + 1
  returning c.status_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.counted', $2, counted.status_id, '{}'::jsonb from counted
  union all
  select 'status.counted', $2, $1, '{}' from stored where not stored.changed
  union all
  select 'status.updated', $2, s.id, status_facts(s) || '{"reason": "quote_accepted"}' from stored join statuses s on s.id = $1 where stored.changed
  returning event_json(events) as event
), notified as materialized (
  select notify(stored.quoted_account_id, $2, 'quote', $1, stored.id) as event from stored where stored.state = 'accepted'
)
select
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select notified.event from notified where notified.event is not null
    ) every
  ) as events
