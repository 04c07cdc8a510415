-- store_emojis: custom emojis of another server that texts use, shown from there. Without effect
-- when the domain's media are rejected.
-- $1 domain text
-- $2 shortcodes text[]
-- $3 uris text[]
-- $4 urls text[]
-- rows: one
-- plan: no sequential scan
with given as materialized (
  select e.shortcode, e.uri, e.url
  from unnest($2::text[], $3::text[], $4::text[]) e (shortcode, uri, url)
  where not exists (select from domain_rule($1) r where r.reject_media or r.severity = 'suspend')
), replaced as (
  update custom_emojis e set
    uri = given.uri, image_remote_url = given.url, updated_at = now(),
    image = jsonb_build_object('key', given.url, 'static_key', given.url, 'type', '')
  from given
  where e.shortcode = given.shortcode and coalesce(e.domain, '') = $1 and e.image_remote_url is distinct from given.url
  returning e.id
), added as (
  insert into custom_emojis (shortcode, domain, image, visible_in_picker, uri, image_remote_url)
  select
    given.shortcode, $1, jsonb_build_object('key', given.url, 'static_key', given.url, 'type', ''), false, given.uri, given.url
  from given
  order by given.shortcode
  on conflict do nothing
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', replaced.id from replaced
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
