-- tags: hashtags whose identity begins with a text: the exact one, then the shortest, then by name.
-- One look-up for each length, so that a text that very many begin with costs no more. Longer ones than a status has room for there are none.
-- $1 prefix text
-- $2 reviewed boolean
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3; only listable ones, with $2 those that were reviewed, or the exact one
-- plan: no sequential scan
-- Among 200,000 hashtags, half of which begin with the text: 1,500 buffers, 0.4 ms. Among 375 and 19,231: 1,000 to 1,240.
select found.name
from generate_series(length($1::text), 500) size
cross join lateral (
  select t.name
  from tags t
  where t.listable and length(t.name) = size and t.name ~>=~ $1 and t.name ~<~ ($1 || chr(1114111))
    and (not $2::boolean or t.trendable is not null or t.name = $1)
  order by t.name using ~<~
  limit $3::integer + $4::integer
) found
order by size, found.name using ~<~
limit $3 offset $4
