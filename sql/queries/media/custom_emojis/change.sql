-- change: changes emojis, and records each in the audit log. Only emojis of this server have a
-- category and a place in the picker.
-- $1 moderator bigint
-- $2 ids bigint[]
-- $3 change text
-- $4 category text
-- rows: one; amount: how many were changed
-- plan: rows by key
with changed as (
  update custom_emojis e set
    disabled = case $3 when 'disable' then true when 'enable' then false else e.disabled end,
    visible_in_picker = case $3 when 'list' then true when 'unlist' then false else e.visible_in_picker end,
    category = case when $3 = 'categorize' then $4::text else e.category end,
    featured = e.featured and ($3 <> 'categorize' or e.category is not distinct from $4::text),
    updated_at = now()
  where e.id = any ((select $2::bigint[])::bigint[]) and case $3
    when 'disable' then not e.disabled
    when 'enable' then e.disabled
    when 'list' then e.domain is null and not e.visible_in_picker
    when 'unlist' then e.domain is null and e.visible_in_picker
    when 'categorize' then e.domain is null and e.category is distinct from $4::text
    else false
  end
  returning e.id, e.shortcode || coalesce('@' || e.domain, '') as name
), recorded as materialized (
  select
    changed.id,
    log_action(
      $1::bigint, case when $3 in ('enable', 'disable') then $3 else 'update' end, 'CustomEmoji', changed.id, changed.name
    )
  from changed
), logged as (
  insert into events (kind, object_id) select 'emojis.changed', recorded.id from recorded
  returning event_json(events) as event
)
select (select count(*)::integer from changed) as amount, (select jsonb_agg(logged.event) from logged) as events
