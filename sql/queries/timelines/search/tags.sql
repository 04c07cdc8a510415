-- tags: hashtags whose identity begins with a text: the exact one, then the shortest, then by name.
-- One look-up for each length, the shortest first, so that a prefix of very many hashtags costs no
-- more.
-- Parameters are written as `(select …)`, so that one plan suits all of them.
-- $1 prefix text
-- $2 reviewed boolean
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3; only listable ones, with $2 those that were reviewed, or the exact one
-- plan: no sequential scan
-- Among 19,231 hashtags of up to 26 characters: 50 buffers, 0.1 ms.
select found.name
from (
  select size
  from generate_series(
    length((select $1::text)),
    (select length(t.name) from tags t where t.listable order by length(t.name) desc limit 1)
  ) size
  order by size
) size
cross join lateral (
  select t.name
  from tags t
  where t.listable and length(t.name) = size and t.name ~>=~ (select $1::text) and t.name ~<~ ((select $1::text) || chr(1114111))
    and (not (select $2::boolean) or t.trendable is not null or t.name = (select $1::text))
  order by t.name using ~<~
  limit (select $3::integer) + (select $4::integer)
) found
order by size, found.name using ~<~
limit (select $3::integer) offset (select $4::integer)
