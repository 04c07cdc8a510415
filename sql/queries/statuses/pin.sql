-- pin: pins a status of the account. Pinning it again violates the constraint, to which the API
-- responds with 422.
-- $1 account bigint
-- $2 status bigint
-- rows: one
-- plan: rows are inserted, none are read
with pinned as (
  insert into status_pins (account_id, status_id) values ($1, $2) returning status_pins.id
), logged as (
  insert into events (kind, actor_id, status_id) select 'status.pinned', $1, $2 from pinned
  returning event_json(events) as event
)
select pinned.id, (select jsonb_agg(logged.event) from logged) as events from pinned
