-- known_domains: the domains of known accounts and custom emojis, and whether limited federation
-- mode allows each.
-- rows: one a domain
-- plan: one look-up for each domain of accounts, and all custom emojis: an operator's command
with recursive accounts_of (domain) as (
  (select reverse(a.domain) from accounts a where a.domain is not null order by reverse(a.domain) using ~<~ limit 1)
  union all
  select (
    select reverse(a.domain) from accounts a
    where a.domain is not null and reverse(a.domain) ~>~ accounts_of.domain
    order by reverse(a.domain) using ~<~
    limit 1
  )
  from accounts_of
  where accounts_of.domain is not null
)
select known.domain, exists (select from domain_allows d where d.domain = known.domain) as allowed
from (
  select reverse(accounts_of.domain) as domain from accounts_of where accounts_of.domain is not null
  union
  select e.domain from custom_emojis e where e.domain is not null
) known
order by known.domain
