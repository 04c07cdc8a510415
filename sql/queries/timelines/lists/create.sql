-- create: stores a new list of the viewer, unless the maximum is reached. Run under lock_account.
-- $1 viewer bigint
-- $2 title text
-- $3 replies_policy text
-- $4 exclusive boolean
-- $5 limit integer
-- rows: none when the viewer has `limit` lists
-- plan: no sequential scan
with created as (
  insert into lists (account_id, title, replies_policy, exclusive)
  select $1, $2, $3, $4
  where (select count(*) from lists l where l.account_id = $1) < $5::integer
  returning lists.id, lists.title, lists.replies_policy, lists.exclusive
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'list.changed', $1, created.id, '{"change": "created"}' from created
  returning event_json(events) as event
)
select created.id, created.title, created.replies_policy, created.exclusive, (select jsonb_agg(logged.event) from logged) as events
from created
