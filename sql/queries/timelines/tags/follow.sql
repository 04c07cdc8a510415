-- follow: the viewer follows a hashtag, which is stored at its first follow. Has no effect when it
-- is followed already.
-- $1 viewer bigint
-- $2 name text
-- $3 display_name text
-- $4 may_begin boolean
-- rows: one; begun: it was not followed before; refused: the follow was not stored, since $4 is
--   false
-- plan: no sequential scan
with known as (
  insert into tags as t (name, display_name) values ($2, $3)
  on conflict (name) do update set name = excluded.name
  returning t.id
), followed as (
  insert into tag_follows (account_id, tag_id) select $1, known.id from known where $4::boolean
  on conflict (account_id, tag_id) do nothing
  returning tag_follows.tag_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'tag_follow.changed', $1, followed.tag_id, jsonb_build_object('name', $2::text, 'following', true) from followed
  returning event_json(events) as event
)
select
  exists (select from followed) as begun,
  not $4 and not exists (select from tag_follows f where f.account_id = $1 and f.tag_id = known.id) as refused,
  (select jsonb_agg(logged.event) from logged) as events
from known
