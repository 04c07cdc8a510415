-- lock_mergeable: two accounts of other servers by their handles, with their public keys, locked
-- until the end of the transaction that merges them.
-- $1 username text
-- $2 domain text
-- $3 other_username text
-- $4 other_domain text
-- rows: at most two; is_first, is_second: which of the handles it has
-- plan: no sequential scan
select a.id, a.public_key,
  lower(a.username) = lower($1) and lower(a.domain) = lower($2) as is_first,
  lower(a.username) = lower($3) and lower(a.domain) = lower($4) as is_second,
  array_remove(array[a.avatar ->> 'key', a.avatar ->> 'static_key', a.header ->> 'key', a.header ->> 'static_key'], null) as files
from accounts a
where a.domain is not null
  and (
    (lower(a.username) = lower($1) and lower(coalesce(a.domain, '')) = lower($2))
    or (lower(a.username) = lower($3) and lower(coalesce(a.domain, '')) = lower($4))
  )
order by a.id
for update
