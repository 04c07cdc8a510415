-- change_v1: changes a keyword of the viewer and the attributes of its filter; null values stay
-- unchanged. The attributes of a filter with several keywords may not change, because that would
-- affect the other keywords too.
-- $1 viewer bigint
-- $2 keyword bigint
-- $3 phrase text
-- $4 contexts text[]
-- $5 action text
-- $6 expiry_given boolean
-- $7 expires_in integer
-- $8 whole_word boolean
-- rows: none when the viewer has no such keyword; refused: nothing was changed. $7 is in seconds,
--   null is never
-- plan: no sequential scan
with filter as materialized (
  select f.id, f.title, f.contexts, f.action, f.expires_at
  from filters f
  where f.account_id = $1 and f.id = (select k.filter_id from filter_keywords k where k.id = $2)
  for update
), found as materialized (
  select
    k.id, k.keyword, k.whole_word, f.id as filter_id, f.contexts, f.action, f.expires_at,
    exists (select from filter_keywords other where other.filter_id = f.id and other.id <> k.id) and (
      $3 <> f.title or $3 <> k.keyword or $4 <> f.contexts or $5 <> f.action
      or ($6 and ($7::integer is not null or f.expires_at is not null))
    ) is true as refused
  from filter f
  join filter_keywords k on k.id = $2 and k.filter_id = f.id
), changed as (
  update filters f
  set title = coalesce($3, f.title), contexts = coalesce($4, f.contexts), action = coalesce($5, f.action),
    expires_at = case when $6 then now() + make_interval(secs => $7::integer) else f.expires_at end, updated_at = now()
  from found
  where f.id = found.filter_id and not found.refused
  returning f.contexts, f.action, f.expires_at
), edited as (
  update filter_keywords k
  set keyword = coalesce($3, k.keyword), whole_word = coalesce($8, k.whole_word)
  from found
  where k.id = found.id and not found.refused
  returning k.id, k.keyword, k.whole_word
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from changed
  returning event_json(events) as event
)
select
  found.id,
  coalesce(edited.keyword, found.keyword) as keyword,
  coalesce(edited.whole_word, found.whole_word) as whole_word,
  coalesce(changed.contexts, found.contexts) as contexts,
  coalesce(changed.action, found.action) as action,
  case when found.refused then found.expires_at else changed.expires_at end as expires_at,
  found.refused,
  (select jsonb_agg(logged.event) from logged) as events
from found
left join edited on true
left join changed on true
