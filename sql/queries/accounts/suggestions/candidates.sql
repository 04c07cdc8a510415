-- candidates: accounts that the viewer may want to follow, each with the reason, in a random order
-- that is stable for 15 minutes.
-- $1 viewer bigint
-- $2 usernames text[]
-- $3 domains text[]
-- $4 friends integer
-- $5 recent integer
-- $6 limit_each integer
-- $7 limit integer
-- rows: at most $7 for each source, sources in the order of the API; $2 and $3: accounts chosen by
--   administrators, '' for this server
-- plan: no sequential scan of accounts, follows or statuses
-- The rows read are bounded whatever the number of follows: the latest friends ($4) with the latest
-- follows of each ($6), and the latest followers ($6) of the latest of these friends ($5) with half
-- as many follows of each. Friends who hide their follows are skipped.
-- With 100 friends among 5,000 people: 35,000 buffers, 35 to 60 ms; src/accounts/suggestions caches
-- the result for 15 minutes.
with friends as (
  select f.target_account_id as id, row_number() over (order by f.id desc) as place, a.hide_collections
  from follows f
  join accounts a on a.id = f.target_account_id
  where f.account_id = $1
  order by f.id desc
  limit $4::integer
), of_friends as (
  select theirs.target_account_id as id, count(*) as score
  from friends
  cross join lateral (
    select f.target_account_id from follows f where f.account_id = friends.id order by f.id desc limit $6::integer
  ) theirs
  where friends.hide_collections is not true
  group by 1
), likewise as (
  select theirs.target_account_id as id, count(distinct fellow.account_id) as score
  from friends
  cross join lateral (
    select f.account_id from follows f where f.target_account_id = friends.id order by f.id desc limit $6
  ) fellow
  join accounts a on a.id = fellow.account_id and a.hide_collections is not true and a.id <> $1
  cross join lateral (
    select f.target_account_id from follows f where f.account_id = a.id order by f.id desc limit $6 / 2
  ) theirs
  where friends.place <= $5::integer
  group by 1
  having count(distinct fellow.account_id) > 1
), languages as (
  select unnest(coalesce(u.chosen_languages, array[split_part(coalesce(u.locale, 'en'), '-', 1)])) as code
  from users u
  where u.account_id = $1
), found as (
  (
    select 1 as place, 'featured' as source, a.id
    from unnest((select $2::text[]), (select $3::text[])) chosen (username, domain)
    join suggestable_accounts($1) a
      on lower(a.username) = lower(chosen.username) and lower(coalesce(a.domain, '')) = lower(chosen.domain)
  )
  union all
  (
    select 2, 'friends_of_friends', a.id
    from (
      select o.id, o.score from of_friends o
      where not exists (select from follows f where f.account_id = $1 and f.target_account_id = o.id)
      order by o.score desc, o.id
      limit 5 * $7::integer
    ) best
    join suggestable_accounts($1) a on a.id = best.id
    order by best.score desc, a.id
    limit $7
  )
  union all
  (
    select 3, 'similar_to_recently_followed', a.id
    from (
      select l.id, l.score from likewise l
      where not exists (select from follows f where f.account_id = $1 and f.target_account_id = l.id)
      order by l.score desc, l.id
      limit 5 * $7
    ) best
    join suggestable_accounts($1) a on a.id = best.id
    order by best.score desc, a.id
    limit $7
  )
  union all
  (
    select 4, p.source, a.id
    from popular_accounts p
    join languages on languages.code = p.language
    join suggestable_accounts($1) a on a.id = p.account_id
    where p.source = 'most_followed'
    group by p.source, a.id
    order by max(p.score) desc, a.id
    limit $7
  )
  union all
  (
    select 5, p.source, a.id
    from popular_accounts p
    join languages on languages.code = p.language
    join suggestable_accounts($1) a on a.id = p.account_id
    where p.source = 'most_interactions'
    group by p.source, a.id
    order by max(p.score) desc, a.id
    limit $7
  )
)
select found.id, array_agg(found.source order by found.place) as sources
from (select distinct place, source, id from found) found
group by found.id
order by hashint8extended(found.id + $1, floor(extract(epoch from now()) / 900)::bigint), found.id
