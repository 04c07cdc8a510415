-- viewer_state: the statuses among these, and among those that they boost, that the viewer may see,
-- with the viewer's interactions.
-- `= any (array(…))` and `offset 0` keep the plan one of index look-ups: without them a database
-- without statistics read all statuses, and each `exists` became a hash of all the viewer's
-- interactions.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each visible status, boosted ones included
-- plan: no sequential scan
select
  s.id,
  exists (select from favourites f where f.account_id = $1 and f.status_id = s.id offset 0) as favourited,
  exists (
    select from statuses b where b.account_id = $1 and b.reblog_of_id = s.id and b.deleted_at is null offset 0
  ) as reblogged,
  exists (
    select from conversation_mutes m where m.account_id = $1 and m.conversation_id = s.conversation_id offset 0
  ) as muted,
  exists (select from bookmarks k where k.account_id = $1 and k.status_id = s.id offset 0) as bookmarked,
  s.account_id is not distinct from $1 and exists (
    select from status_pins p where p.account_id = $1 and p.status_id = s.id offset 0
  ) as pinned,
  s.account_id is not distinct from $1 or exists (
    select from follows f where f.account_id = $1 and f.target_account_id = s.account_id offset 0
  ) as follows_author,
  (
    select array_agg(v.choice order by v.choice)
    from polls p
    join poll_votes v on v.poll_id = p.id and v.account_id = $1
    where p.status_id = s.id
  ) as votes
from visible_statuses($1) s
where s.id = any (array(
  select given.id from unnest((select $2::bigint[])) given (id)
  union
  select b.reblog_of_id from statuses b where b.id = any ((select $2::bigint[])::bigint[]) and b.reblog_of_id is not null
))
