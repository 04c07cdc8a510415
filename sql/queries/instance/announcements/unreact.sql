-- unreact: removes a reaction of the viewer. Run under lock, so that the logged count is correct.
-- $1 viewer bigint
-- $2 announcement bigint
-- $3 name text
-- rows: none when there is no such reaction to a published announcement, else one
-- plan: one row by key
with removed as (
  delete from announcement_reactions r using announcements a
  where r.account_id = $1 and r.announcement_id = $2 and r.name = $3 and a.id = r.announcement_id and a.published
  returning r.id, r.announcement_id, r.custom_emoji_id
), logged as (
  insert into events (kind, actor_id, object_id, data)
  select
    'announcement.reaction', $1, removed.announcement_id,
    jsonb_build_object(
      'name', $3::text,
      'count', (
        select count(*) from announcement_reactions r
        where r.announcement_id = removed.announcement_id and r.name = $3 and r.id <> removed.id
      ),
      'image', (select e.image from custom_emojis e where e.id = removed.custom_emoji_id)
    )
  from removed
  returning event_json(events) as event
)
select removed.id, (select jsonb_agg(logged.event) from logged) as events from removed
