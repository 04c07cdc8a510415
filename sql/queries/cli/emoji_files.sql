-- emoji_files: the pictures of custom emojis with an id above the given one, in order.
-- $1 after bigint
-- rows: at most 1000
-- plan: no sequential scan
select
  e.id, e.domain is null as local,
  array_remove(array[e.image ->> 'key', nullif(e.image ->> 'static_key', e.image ->> 'key')], null) as files
from custom_emojis e
where e.id > $1
order by e.id
limit 1000
