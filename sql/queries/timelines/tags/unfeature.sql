-- unfeature: removes a hashtag from the viewer's profile.
-- $1 viewer bigint
-- $2 name text
-- rows: none when it was not featured
-- plan: no sequential scan
with removed as (
  delete from featured_tags f using tags t where t.name = $2 and f.account_id = $1 and f.tag_id = t.id
  returning f.id, f.tag_id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'featured_tags.changed', $1, removed.tag_id from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
