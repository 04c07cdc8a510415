-- delete_featured: removes a hashtag from the viewer's profile, by the id of the feature.
-- $1 viewer bigint
-- $2 featured bigint
-- rows: none when the viewer has no such one
-- plan: no sequential scan
with removed as (
  delete from featured_tags f where f.id = $2 and f.account_id = $1 returning f.id, f.tag_id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'featured_tags.changed', $1, removed.tag_id from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
