-- reachable: the hosts with which this server exchanges anything.
-- $1 domains text[]
-- $2 limited boolean
-- rows: one a host
-- plan: rules by key
select given.domain
from unnest($1::text[]) given (domain)
where not coalesce((select r.severity = 'suspend' from domain_rule(given.domain) r), false)
  and (not $2::boolean or exists (select from domain_allows a where a.domain = given.domain))
