-- grant_quote_request: grants the request of a remote status to quote a local one, and notifies the
-- quoted author, who may see from now on what was granted, also if it is not for everybody.
-- $1 status bigint
-- $2 quoted bigint
-- rows: one when the quote is accepted now or was before; none when it was revoked, when the
--   quoting status is deleted, or there is none
-- plan: no sequential scan
with quoting as materialized (
  select s.id from statuses s where s.id = $1 and s.deleted_at is null for share
), asked as materialized (
  select q.id, q.status_id, q.account_id, q.quoted_status_id, q.quoted_account_id, q.state
  from quoting
  join quotes q on q.status_id = quoting.id
  where q.quoted_status_id = $2 and q.state in ('pending', 'accepted')
  for update of q
), accepted as materialized (
  update quotes q set state = 'accepted' from asked where q.id = asked.id and asked.state = 'pending'
  returning q.id, q.status_id, q.account_id, q.quoted_status_id, q.quoted_account_id
), opened as (
  insert into mentions (status_id, account_id, silent)
  select accepted.status_id, accepted.quoted_account_id, true
  from accepted
  where accepted.quoted_account_id <> accepted.account_id
  on conflict (status_id, account_id) do nothing
  returning mentions.account_id
), counted as (
  insert into status_stats as c (status_id, quotes_count) select accepted.quoted_status_id, 1 from accepted
  on conflict (status_id) do update set quotes_count = c.quotes_count + 1
), logged as (
  insert into events (kind, actor_id, status_id, data)
  select
    'status.updated', accepted.account_id, s.id,
    status_facts(
      s,
      array(select m.account_id from mentions m where m.status_id = s.id and not m.silent order by m.id),
      array(select m.account_id from mentions m where m.status_id = s.id and m.silent order by m.id)
        || array(select opened.account_id from opened),
      array(select t.name from status_tags x join tags t on t.id = x.tag_id where x.status_id = s.id order by t.id)
    ) || '{"reason": "quote_accepted"}'
  from accepted
  join statuses s on s.id = accepted.status_id
  union all
  select 'status.counted', accepted.account_id, accepted.quoted_status_id, '{}' from accepted
  returning event_json(events) as event
), notified as materialized (
  select notify(accepted.quoted_account_id, accepted.account_id, 'quote', accepted.status_id, accepted.id) as event from accepted
)
select asked.id, (
  select jsonb_agg(every.event)
  from (select logged.event from logged union all select notified.event from notified where notified.event is not null) every
) as events
from asked
