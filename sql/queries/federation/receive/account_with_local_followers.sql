-- account_with_local_followers: a remote account with its local followers.
-- $1 uri text
-- rows: none when it is unknown
-- plan: the local followers of the account
select
  a.id, a.uri, a.followers_url, a.inbox_url,
  array(
    select f.account_id
    from follows f
    join accounts l on l.id = f.account_id and l.domain is null
    where f.target_account_id = a.id
  ) as followers
from accounts a
where a.uri = $1 and a.uri <> '' and a.domain is not null and a.suspended_at is null
