-- accept_quote_request: the author of a remote status accepts the request of a local account to
-- quote it. A status that was deleted meanwhile quotes nothing.
-- $1 quote bigint
-- $2 status bigint
-- $3 account bigint
-- $4 author bigint
-- $5 approval_uri text
-- rows: none when there is no such pending quote
-- plan: no sequential scan
with quoting as materialized (
  select q.id
  from quotes q
  join statuses s on s.id = q.status_id
  where (q.id = $1 or q.status_id = $2) and q.account_id = $3 and q.quoted_account_id = $4 and s.deleted_at is null
  for share of s
), accepted as (
  update quotes q set state = 'accepted', approval_uri = $5 from quoting where q.id = quoting.id and q.state = 'pending'
  returning q.id, q.status_id, q.account_id, q.quoted_status_id
), counted as (
  insert into status_stats as c (status_id, quotes_count)
  select accepted.quoted_status_id, 1 from accepted where accepted.quoted_status_id is not null
  on conflict (status_id) do update set quotes_count = c.quotes_count + 1
  returning c.status_id
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select 'status.updated', accepted.account_id, s.id, status_facts(s) || '{"reason": "quote_accepted"}' from accepted join statuses s on s.id = accepted.status_id
  union all
  select 'status.counted', $4, counted.status_id, '{}' from counted
  returning event_json(events) as event
)
select accepted.id, (select jsonb_agg(logged.event) from logged) as events from accepted
