-- react: stores the viewer's reaction to an announcement with an emoji. Run under lock, so that
-- there are at most eight emojis.
-- $1 viewer bigint
-- $2 announcement bigint
-- $3 name text
-- $4 is_unicode boolean
-- rows: none when it does not exist or is not published, else one; known: the name is an emoji;
--   full: it would be the ninth name; added: false when the viewer has already reacted with it
-- plan: the rows of one announcement by index
with shown as (
  select a.id from announcements a where a.id = $2 and a.published
), custom as (
  select e.id, e.image
  from custom_emojis e
  where not $4::boolean and e.shortcode = $3 and coalesce(e.domain, '') = '' and not e.disabled
), fit as (
  select
    shown.id,
    $4 or exists (select from custom) as known,
    not exists (select from announcement_reactions r where r.announcement_id = shown.id and r.name = $3)
      and (select count(distinct r.name) from announcement_reactions r where r.announcement_id = shown.id) >= 8 as is_full
  from shown
), added as (
  insert into announcement_reactions (account_id, announcement_id, name, custom_emoji_id)
  select $1, fit.id, $3, (select custom.id from custom) from fit where fit.known and not fit.is_full
  on conflict (account_id, announcement_id, name) do nothing
  returning announcement_reactions.id
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select
    'announcement.reaction', $1, fit.id,
    jsonb_build_object(
      'name', $3,
      'count', 1 + (select count(*) from announcement_reactions r where r.announcement_id = fit.id and r.name = $3),
      'image', (select custom.image from custom)
    )
  from fit
  cross join added
  returning event_json(events) as event
)
select
  fit.known, fit.is_full, exists (select from added) as added, (select jsonb_agg(logged.event) from logged) as events
from fit
