-- add: stores a quote; the quoted status's author may see it from now on and is notified. A quote
-- of a local status has been permitted and is accepted at once; that of a remote one is pending
-- until its server answers.
-- $1 status bigint
-- $2 account bigint
-- $3 quoted bigint
-- rows: one
-- plan: no sequential scan
with stored as (
  insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
  select $1, $2, s.id, s.account_id, case when s.local then 'accepted' else 'pending' end
  from statuses s
  where s.id = $3
  returning quotes.id, quotes.quoted_status_id, quotes.quoted_account_id, quotes.state
), opened as (
  insert into mentions (status_id, account_id, silent)
  select $1, stored.quoted_account_id, true from stored where stored.quoted_account_id <> $2
  on conflict (status_id, account_id) do nothing
), counted as (
  insert into status_stats as c (status_id, quotes_count)
  select stored.quoted_status_id, 1 from stored where stored.state = 'accepted'
  on conflict (status_id) do update set quotes_count = c.quotes_count + 1
  returning c.status_id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.counted', $2, counted.status_id from counted
  returning event_json(events) as event
), notified as materialized (
  select notify(stored.quoted_account_id, $2, 'quote', $1, stored.id) as event from stored where stored.state = 'accepted'
)
select
  stored.id,
  (
    select jsonb_agg(every.event)
    from (
      select logged.event from logged
      union all
      select notified.event from notified where notified.event is not null
    ) every
  ) as events
from stored
