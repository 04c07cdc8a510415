-- search: accounts whose handle, name or domain begins with a text, or whose handle or name
-- contains it, or, for one or two characters, a word of whose name begins with it; followed
-- accounts first, then by number of followers.
-- The text is as typed: the lower case of JavaScript differs from that of the indexes for İ and
-- for Σ at the end of a word.
-- With $5 only the viewer and the accounts that the viewer follows.
-- The cost is bounded: besides followed accounts, at most 500 candidates of each index are ranked.
-- When no name begins with the text or contains it, the 50 most similar names are found, for
-- misspelt queries.
-- Parameters and limits are written as `(select …)`, so that one generic plan, which reads the
-- indexes in their order, suits all of them: planning took as long as the search.
-- $1 viewer bigint
-- $2 name text
-- $3 domain text
-- $4 pattern text
-- $5 following boolean
-- $6 exact bigint
-- $7 limit integer
-- $8 offset integer
-- rows: at most $7, without the account $6, which the caller puts first
-- plan: no sequential scan
-- Among 500 and among 20,000 accounts: three letters 60 and 2,620 buffers, a whole name 70 and
-- 2,890, a misspelt one 160 to 710. Two Japanese characters 810 among 20,000 and 2,520 among
-- 200,000 (5 ms). Among 500,000, the beginning of a domain or a name 3,300.
with matching as (
  select a.id, true as followed
  from (
    select f.target_account_id from follows f where f.account_id = (select $1::bigint)
    union all
    select (select $1::bigint) where (select $5::boolean)
  ) f
  cross join lateral (
    -- `offset 0` is a fence: one look-up for each follow, never a scan of all accounts.
    select o.id, o.username, o.display_name, o.domain from accounts o where o.id = f.target_account_id offset 0
  ) a
  where (
      starts_with(lower(a.username), (select lower($2::text)))
      and ((select $3::text) is null or starts_with(lower(a.domain), (select $3::text)))
      or (select $3::text) is null and (
        starts_with(lower(a.display_name), (select lower($2::text)))
        or lower(a.username) || ' ' || lower(a.display_name) like (select lower($4::text))
        or starts_with(lower(a.domain), (select lower($2::text)))
      )
    )
  union all
  (
    select a.id, false
    from accounts a
    where not (select $5::boolean) and (select $3::text) is null
      and lower(a.username) ~>=~ (select lower($2::text)) and lower(a.username) ~<~ ((select lower($2::text)) || chr(1114111))
    order by lower(a.username) using ~<~
    limit (select 500)
  )
  union all
  (
    select a.id, false
    from accounts a
    where not (select $5::boolean) and (select $3::text) is not null
      and lower(a.username) ~>=~ (select lower($2::text)) and lower(a.username) ~<~ ((select lower($2::text)) || chr(1114111))
      and a.domain ~>=~ (select $3::text) and a.domain ~<~ ((select $3::text) || chr(1114111))
    order by lower(a.username) using ~<~
    limit (select 500)
  )
  union all
  (
    select a.id, false
    from accounts a
    where not (select $5::boolean) and (select $3::text) is null
      and a.domain ~>=~ (select lower($2::text)) and a.domain ~<~ ((select lower($2::text)) || chr(1114111))
    order by a.domain using ~<~
    limit (select 500)
  )
  union all
  (
    select a.id, false
    from accounts a
    where not (select $5::boolean) and (select $3::text) is null
      and lower(a.display_name) ~>=~ (select lower($2::text)) and lower(a.display_name) ~<~ ((select lower($2::text)) || chr(1114111))
    order by lower(a.display_name) using ~<~
    limit (select 500)
  )
  union all
  (
    select a.id, false
    from accounts a
    where not (select $5::boolean) and (select $3::text) is null and length((select $2::text)) >= 3
      and lower(a.username) || ' ' || lower(a.display_name) like (select lower($4::text))
    limit (select 500)
  )
  union all
  (
    -- Words of a display name that begin with one or two characters. One ASCII character begins too
    -- many. Quotes and backslashes are doubled for the tsquery.
    select a.id, false
    from accounts a
    where not (select $5::boolean) and (select $3::text) is null
      and length((select $2::text)) < 3 and octet_length((select $2::text)) > 1
      and array_to_tsvector(array_remove(string_to_array(translate(lower(left(a.display_name, 200)), '　・', '  '), ' '), ''))
        @@ (select ('''' || replace(replace(lower($2::text), '\', '\\'), '''', '''''') || ''':*')::tsquery)
    limit (select 500)
  )
), found as (
  select matching.id, bool_or(matching.followed) as followed
  from matching
  group by matching.id
), alike as (
  select
    l.id,
    exists (
      select from follows f where f.account_id = (select $1::bigint) and f.target_account_id = l.id offset 0
    ) as followed
  from accounts_like((select lower($2::text))) l (id)
  where length((select $2::text)) >= 4 and (select $3::text) is null and (select $6::bigint) is null and not exists (select from found)
)
select a.id
from (
  select found.id, found.followed from found
  union all
  select l.id, l.followed from alike l where l.followed or l.id = (select $1::bigint) or not (select $5::boolean)
) found
join accounts a on a.id = found.id
left join account_stats s on s.account_id = a.id
where not a.pending and a.suspended_at is null and a.deletion_requested_at is null
  and a.moved_to_account_id is null and a.id is distinct from (select $6::bigint)
order by found.followed desc, lower(a.username) = (select lower($2::text)) desc, coalesce(s.followers_count, 0) desc, a.id
limit $7::integer offset $8::integer
