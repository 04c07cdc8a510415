-- store_emojis: stores custom emojis of another server, whose images are loaded from there. Has no
-- effect when the domain's media are rejected.
-- $1 domain text
-- $2 shortcodes text[]
-- $3 uris text[]
-- $4 urls text[]
-- rows: one
-- plan: no sequential scan
with input as materialized (
  select e.shortcode, e.uri, e.url
  from unnest((select $2::text[]), (select $3::text[]), (select $4::text[])) e (shortcode, uri, url)
  where not exists (select from domain_rule($1) r where r.reject_media or r.severity = 'suspend')
), replaced as (
  update custom_emojis e set
    uri = input.uri, image_remote_url = input.url, updated_at = now(),
    image = jsonb_build_object('key', input.url, 'static_key', input.url, 'type', '')
  from input
  where e.shortcode = input.shortcode and coalesce(e.domain, '') = $1 and e.image_remote_url is distinct from input.url
  returning e.id
), added as (
  insert into custom_emojis (shortcode, domain, image, visible_in_picker, uri, image_remote_url)
  select
    input.shortcode, $1, jsonb_build_object('key', input.url, 'static_key', input.url, 'type', ''), false, input.uri, input.url
  from input
  order by input.shortcode
  on conflict do nothing
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', replaced.id from replaced
  returning event_json(events) as event
)
select (select jsonb_agg(logged.event) from logged) as events
