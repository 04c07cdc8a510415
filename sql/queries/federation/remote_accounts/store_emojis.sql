-- store_emojis: stores custom emojis of another server, whose images are loaded from there. Has no
-- effect when the domain's media are rejected.
-- Known emojis keep their pictures when others of the domain got new ones less than five minutes
-- ago: each change drops all caches of statuses and accounts, and a server could send another URL
-- with each post. Subdomains cost nothing, so they count as one with their parent.
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
), different as materialized (
  select e.id, input.uri, input.url
  from input
  join custom_emojis e on e.shortcode = input.shortcode and coalesce(e.domain, '') = $1
  where e.image_remote_url is distinct from input.url
), replaced as (
  update custom_emojis e set
    uri = different.uri, image_remote_url = different.url, updated_at = now(), replaced_at = now(),
    image = jsonb_build_object('key', different.url, 'static_key', different.url, 'type', '')
  from different
  where e.id = different.id and not exists (
    select from custom_emojis r
    where r.replaced_at > now() - interval '5 minutes'
      and (split_part(r.domain, '.', -2), split_part(r.domain, '.', -1)) = (split_part($1, '.', -2), split_part($1, '.', -1))
  )
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
