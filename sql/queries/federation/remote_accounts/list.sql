-- list: accounts of other servers, those of one domain, or one account, in the order of their ids.
-- $1 domain text
-- $2 account bigint
-- $3 after bigint
-- $4 limit integer
-- rows: at most the limit; domain and account are optional
-- plan: the accounts, in batches, in the order of their ids
select a.id, a.uri, a.username || '@' || a.domain as acct
from accounts a
where a.domain is not null and a.uri <> '' and a.suspended_at is null and a.deletion_requested_at is null
  and ($1::text is null or a.domain = $1) and ($2::bigint is null or a.id = $2) and a.id > $3
order by a.id
limit (select $4::integer)
