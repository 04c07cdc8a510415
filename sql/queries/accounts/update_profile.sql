-- update_profile: changes an account's profile and its user's preferences. Null parameters leave a
-- value unchanged; a picture is set, or removed by null, when its flag is true.
-- $1 account bigint
-- $2 display_name text
-- $3 note text
-- $4 note_html text
-- $5 fields jsonb
-- $6 sets_avatar boolean
-- $7 avatar jsonb
-- $8 avatar_description text
-- $9 sets_header boolean
-- $10 header jsonb
-- $11 header_description text
-- $12 locked boolean
-- $13 actor_type text
-- $14 discoverable boolean
-- $15 hide_collections boolean
-- $16 indexable boolean
-- $17 show_media boolean
-- $18 show_media_replies boolean
-- $19 show_featured boolean
-- $20 attribution_domains text[]
-- $21 preferences jsonb
-- rows: one; unlocked: whether follow requests no longer need approval; old_avatar, old_header: the
--   previous pictures
-- plan: no sequential scan, at most 40 buffers
with before as (
  select a.id, a.locked, a.avatar, a.header from accounts a where a.id = $1 for no key update
), changed as (
  update accounts a
  set display_name = coalesce($2::text, a.display_name),
    note = coalesce($3::text, a.note),
    note_html = coalesce($4::text, a.note_html),
    fields = coalesce($5::jsonb, a.fields),
    avatar = case when $6::boolean then $7::jsonb else a.avatar end,
    avatar_description = coalesce($8::text, a.avatar_description),
    header = case when $9::boolean then $10::jsonb else a.header end,
    header_description = coalesce($11::text, a.header_description),
    locked = coalesce($12::boolean, a.locked),
    actor_type = coalesce($13::text, a.actor_type),
    discoverable = coalesce($14::boolean, a.discoverable),
    hide_collections = coalesce($15::boolean, a.hide_collections),
    indexable = coalesce($16::boolean, a.indexable),
    show_media = coalesce($17::boolean, a.show_media),
    show_media_replies = coalesce($18::boolean, a.show_media_replies),
    show_featured = coalesce($19::boolean, a.show_featured),
    attribution_domains = coalesce($20::text[], a.attribution_domains),
    updated_at = now()
  from before
  where a.id = before.id
  returning a.id, before.locked and not a.locked as unlocked, before.avatar as old_avatar, before.header as old_header
), preferred as (
  update users u set preferences = u.preferences || $21::jsonb, updated_at = now()
  where u.account_id = $1 and $21::jsonb <> '{}'
  returning u.account_id
), logged as (
  insert into events (kind, actor_id, account_id, data)
  select 'account.changed', changed.id, changed.id, '{"change": "profile"}'::jsonb from changed
  union all
  select 'user.changed', preferred.account_id, preferred.account_id, '{"change": "preferences"}' from preferred
  returning event_json(events) as event
)
select changed.unlocked, changed.old_avatar, changed.old_header, (select jsonb_agg(logged.event) from logged) as events
from changed
