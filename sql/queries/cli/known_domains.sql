-- known_domains: the domains of known remote accounts, except suspended ones.
-- rows: one a domain
-- plan: the index of the domains of all accounts
select known.domain
from (select distinct a.domain from accounts a where a.domain is not null) known
where not coalesce((select r.severity = 'suspend' from domain_rule(known.domain) r), false)
order by known.domain
