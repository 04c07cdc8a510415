-- emojis_to_purge: up to a thousand custom emojis: all, those of other servers, or those of domains
-- that are suspended here.
-- $1 remote_only boolean
-- $2 suspended_only boolean
-- rows: at most 1000
-- plan: no sequential scan of accounts or statuses
select e.id
from custom_emojis e
where (not $1::boolean and not $2::boolean or e.domain is not null)
  and (not $2 or (select r.severity from domain_rule(e.domain) r) = 'suspend')
order by e.id
limit 1000
