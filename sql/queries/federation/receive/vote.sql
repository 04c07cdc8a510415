-- vote: a remote account votes in a running local poll that it may see. Has no effect if it has
-- chosen this option before, or another one in a single-choice poll. The caller has locked the poll
-- (statuses/polls/lock_of_status).
-- $1 voter bigint
-- $2 status bigint
-- $3 option text
-- rows: one; is_option: whether the poll has this option, even if there was no effect
-- plan: no sequential scan
with poll as materialized (
  select
    p.id, p.status_id, array_position(p.options, $3) - 1 as choice,
    exists (select from poll_votes v where v.poll_id = p.id and v.account_id = $1) as voted
  from polls p
  join visible_statuses($1) s on s.id = p.status_id and s.local and s.account_id <> $1
  where p.status_id = $2 and $3 = any (p.options) and (p.expires_at is null or p.expires_at > now())
    and not exists (
      select from poll_votes v
      where v.poll_id = p.id and v.account_id = $1 and (not p.multiple or v.choice = array_position(p.options, $3) - 1)
    )
), stored as (
  insert into poll_votes (poll_id, account_id, choice) select poll.id, $1, poll.choice from poll
), counted as (
  update polls p set tallies[poll.choice + 1] = p.tallies[poll.choice + 1] + 1, voters_count = p.voters_count + (not poll.voted)::integer
  from poll
  where p.id = poll.id
  returning p.id, p.status_id
), logged as (
  insert into events (kind, actor_id, status_id, object_id) select 'status.counted', $1, counted.status_id, counted.id from counted
  returning event_json(events) as event
)
select
  exists (select from polls p where p.status_id = $2 and $3 = any (p.options)) as is_option,
  (select jsonb_agg(logged.event) from logged) as events
