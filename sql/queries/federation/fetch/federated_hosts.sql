-- federated_hosts: the hosts of a list with which this server exchanges activities.
-- $1 domains text[]
-- $2 limited boolean
-- rows: one a host
-- plan: rules by key
select input.domain
from unnest((select $1::text[])) input (domain)
where not coalesce((select r.severity = 'suspend' from domain_rule(input.domain) r), false)
  and (not $2::boolean or exists (select from domain_allows a where a.domain = input.domain))
