-- copied_pictures: accounts of other servers that were last fetched before a time, with copies of
-- their avatars and headers, in the order of their ids; the pictures can be copied again.
-- $1 after bigint
-- $2 before timestamptz
-- $3 headers_only boolean
-- $4 include_follows boolean
-- rows: at most 200; $3: only those with a copied header; $4: also those with a follow to or from
--   somebody here
-- plan: remote accounts in the order of their keys, until there are enough; follows by index
select a.id, a.username || '@' || a.domain as acct
from accounts a
where a.id > $1 and a.domain is not null and coalesce(a.fetched_at, a.created_at) < $2
  and (a.header ->> 'key' <> a.header_remote_url or (not $3 and a.avatar ->> 'key' <> a.avatar_remote_url))
  and (
    $4
    or (
      not exists (select from follows f where f.account_id = a.id) and not exists (select from follows f where f.target_account_id = a.id)
    )
  )
order by a.id
limit 200
