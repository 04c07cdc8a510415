-- feature: features a hashtag on the viewer's profile; stored at its first use. Run under
-- lock_account.
-- $1 viewer bigint
-- $2 name text
-- $3 spelling text
-- $4 limit integer
-- rows: one; spelling: the featured spelling, null when the maximum is reached
-- plan: no sequential scan
with known as (
  insert into tags as t (name, display_name) values ($2, $3)
  on conflict (name) do update set name = excluded.name
  returning t.id
), featured as (
  insert into featured_tags (account_id, tag_id, name)
  select $1, known.id, $3 from known
  where (select count(*) from featured_tags f where f.account_id = $1) < $4::integer
  on conflict (account_id, tag_id) do nothing
  returning featured_tags.name, featured_tags.tag_id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'featured_tags.changed', $1, featured.tag_id from featured
  returning event_json(events) as event
)
select
  coalesce(
    (select featured.name from featured),
    (select f.name from featured_tags f join known on known.id = f.tag_id where f.account_id = $1)
  ) as spelling,
  (select jsonb_agg(logged.event) from logged) as events
