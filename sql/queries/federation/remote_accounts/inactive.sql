-- inactive: accounts of other servers, or of some domains, that were neither fetched nor active
-- (no new status) since a time, in the order of their ids.
-- $1 domains text[]
-- $2 before timestamptz
-- $3 after bigint
-- $4 limit integer
-- rows: at most the limit; an empty list means all domains
-- plan: the accounts, in batches, in the order of their ids
select a.id, a.uri, a.username || '@' || a.domain as acct
from accounts a
left join account_stats s on s.account_id = a.id
where a.domain is not null and a.uri <> '' and a.deletion_requested_at is null and a.id > $3
  and (cardinality($1::text[]) = 0 or a.domain = any ((select $1::text[])::text[]))
  and coalesce(a.fetched_at, a.created_at) < $2 and coalesce(s.last_status_at, '-infinity') < $2
order by a.id
limit (select $4::integer)
