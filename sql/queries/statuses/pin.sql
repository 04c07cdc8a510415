-- pin: pins a status of the account. Pinning it again violates the constraint, to which the API
-- responds with 422. A deletion of the status is waited for, and it waits for the pin.
-- $1 account bigint
-- $2 status bigint
-- rows: one; none when the status is deleted
-- plan: one row by key
with present as materialized (
  select s.id from statuses s where s.id = $2 and s.deleted_at is null for share
), pinned as (
  insert into status_pins (account_id, status_id) select $1, present.id from present returning status_pins.id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.pinned', $1, $2 from pinned
  returning event_json(events) as event
)
select pinned.id, (select jsonb_agg(logged.event) from logged) as events from pinned
