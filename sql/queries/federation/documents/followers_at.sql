-- followers_at: the followers of a local account whose URIs begin with a prefix.
-- $1 account bigint
-- $2 prefix text
-- rows: one a follower
-- plan: no sequential scan
select a.uri
from follows f
join accounts a on a.id = f.account_id
where f.target_account_id = $1 and a.domain is not null and starts_with(a.uri, $2::text)
order by f.id
