-- set_featured_tags: replaces the featured hashtags of a remote account.
-- $1 account bigint
-- $2 tags text[]
-- $3 display_tags text[]
-- rows: one; events is null when nothing changed
-- plan: no sequential scan
with input as materialized (
  select g.name, g.display_name from unnest((select $2::text[]), (select $3::text[])) g (name, display_name)
), known as (
  insert into tags as t (name, display_name) select input.name, input.display_name from input order by input.name
  on conflict (name) do update set name = excluded.name
  returning t.id, t.name
), removed as (
  delete from featured_tags f
  where f.account_id = $1 and not exists (select from tags t join input on input.name = t.name where t.id = f.tag_id)
  returning f.tag_id
), featured as (
  insert into featured_tags (account_id, tag_id, name)
  select $1, known.id, input.display_name from known join input on input.name = known.name
  on conflict (account_id, tag_id) do nothing
  returning featured_tags.tag_id
), logged as (
  insert into events (kind, account_id, object_id)
  select 'featured_tags.changed', $1::bigint, changed.tag_id
  from (select removed.tag_id from removed union all select featured.tag_id from featured) changed
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
