-- cast: stores and counts the votes of one request. The poll is locked and the votes have been
-- validated.
-- $1 viewer bigint
-- $2 poll bigint
-- $3 choices integer[]
-- $4 first boolean
-- rows: one
-- plan: no sequential scan
with stored as (
  insert into poll_votes (poll_id, account_id, choice) select $2, $1, given.choice from unnest((select $3::integer[])) given (choice)
), counted as (
  update polls p set
    tallies = array(
      select t.amount + case when t.place - 1 = any ((select $3::integer[])::integer[]) then 1 else 0 end
      from unnest(p.tallies) with ordinality t (amount, place)
      order by t.place
    ),
    voters_count = p.voters_count + case when $4::boolean then 1 else 0 end
  where p.id = $2
  returning p.id, p.status_id
), logged as (
  insert into events (kind, actor_id, status_id, object_id) select 'status.counted', $1, counted.status_id, counted.id from counted
  returning event_json(events) as event
)
select counted.id, (select jsonb_agg(logged.event) from logged) as events from counted
