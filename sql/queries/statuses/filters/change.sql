-- change: changes the attributes and keywords of a filter of the viewer; null values stay
-- unchanged.
-- $1 viewer bigint
-- $2 filter bigint
-- $3 title text
-- $4 contexts text[]
-- $5 action text
-- $6 expiry_given boolean
-- $7 expires_in integer
-- $8 keywords jsonb
-- rows: none, and nothing is changed, when the viewer has no such filter or a keyword belongs to
--   another; $7 is in seconds, null is never; $8 is [{id, keyword, whole_word, destroy}], without
--   id a new one
-- plan: no sequential scan
with found as materialized (
  select f.id from filters f where f.id = $2 and f.account_id = $1 for update
), given as materialized (
  select g.id, g.keyword, g.whole_word, g.destroy, g.place
  from rows from (jsonb_to_recordset($8::jsonb) as (id bigint, keyword text, whole_word boolean, destroy boolean))
    with ordinality as g (id, keyword, whole_word, destroy, place)
), target as materialized (
  select found.id
  from found
  where not exists (
    select from given
    where given.id is not null
      and not exists (select from filter_keywords k where k.id = given.id and k.filter_id = found.id)
  )
), changed as (
  update filters f
  set title = coalesce($3, f.title), contexts = coalesce($4, f.contexts), action = coalesce($5, f.action),
    expires_at = case when $6 then now() + make_interval(secs => $7::integer) else f.expires_at end, updated_at = now()
  from target
  where f.id = target.id
  returning f.id, f.title, f.contexts, f.action, f.expires_at
), removed as (
  delete from filter_keywords k using target, given
  where k.filter_id = target.id and k.id = given.id and given.destroy
), edited as (
  update filter_keywords k
  set keyword = coalesce(given.keyword, k.keyword), whole_word = coalesce(given.whole_word, k.whole_word)
  from target, given
  where k.filter_id = target.id and k.id = given.id and not given.destroy
  returning k.id, k.keyword, k.whole_word
), added as (
  insert into filter_keywords (filter_id, keyword, whole_word)
  select target.id, given.keyword, coalesce(given.whole_word, true)
  from target
  cross join given
  where given.id is null
  order by given.place
  returning filter_keywords.id, filter_keywords.keyword, filter_keywords.whole_word
), words as (
  select edited.id, edited.keyword, edited.whole_word from edited
  union all
  select added.id, added.keyword, added.whole_word from added
  union all
  select k.id, k.keyword, k.whole_word
  from target
  join filter_keywords k on k.filter_id = target.id
  where not exists (select from given where given.id = k.id)
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from changed
  returning event_json(events) as event
)
select
  changed.id, changed.title, changed.contexts, changed.action, changed.expires_at,
  coalesce(
    (
      select jsonb_agg(
        jsonb_build_object('id', words.id::text, 'keyword', words.keyword, 'whole_word', words.whole_word)
        order by words.id
      )
      from words
    ),
    '[]'
  ) as keywords,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('id', x.id::text, 'status_id', x.status_id::text) order by x.id)
      from filter_statuses x
      where x.filter_id = changed.id
    ),
    '[]'
  ) as statuses,
  (select jsonb_agg(logged.event) from logged) as events
from changed
