-- by_uri: the accounts whose identifiers are URLs of a host, whatever the domain of their handles.
-- $1 host text
-- $2 below boolean
-- rows: one an account, in order
-- plan: reads every remote account: an operator's command
select a.id
from accounts a
cross join lateral (select split_part(a.uri, '/', 3) as host) named
where a.domain is not null and (named.host = $1 or ($2::boolean and $1 = any (domains_above(named.host))))
order by a.id
