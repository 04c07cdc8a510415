-- change_keyword: changes a keyword of the viewer's filters; null values stay unchanged.
-- $1 viewer bigint
-- $2 id bigint
-- $3 keyword text
-- $4 whole_word boolean
-- rows: none when the viewer has no such keyword
-- plan: no sequential scan
with changed as (
  update filter_keywords k
  set keyword = coalesce($3, k.keyword), whole_word = coalesce($4, k.whole_word)
  from filters f
  where k.id = $2 and f.id = k.filter_id and f.account_id = $1
  returning k.id, k.keyword, k.whole_word
), logged as (
  insert into events (kind, account_id) select 'filters.changed', $1 from changed
  returning event_json(events) as event
)
select changed.id, changed.keyword, changed.whole_word, (select jsonb_agg(logged.event) from logged) as events from changed
