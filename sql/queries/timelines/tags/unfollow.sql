-- unfollow: the viewer unfollows a hashtag.
-- $1 viewer bigint
-- $2 name text
-- rows: none when it was not followed, else one
-- plan: no sequential scan
with removed as (
  delete from tag_follows f using tags t
  where t.name = $2 and f.account_id = $1 and f.tag_id = t.id
  returning f.tag_id
), logged as (
  insert into events (kind, account_id, object_id, data)
  select 'tag_follow.changed', $1, removed.tag_id, jsonb_build_object('name', $2::text, 'following', false) from removed
  returning event_json(events) as event
)
select removed.tag_id as id, (select jsonb_agg(logged.event) from logged) as events from removed
