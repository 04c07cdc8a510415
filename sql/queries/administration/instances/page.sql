-- page: the domains of known accounts, by name, each with the rule that applies to it.
-- $1 after text
-- $2 prefix text
-- $3 limit integer
-- rows: at most $3, above $1; accounts: at most 1000; rule_domain: of the rule, null without one
-- plan: no sequential scan; one look-up in the index for each domain
with recursive known as (
  (
    select a.domain from accounts a
    where a.domain is not null and a.domain > $1 and a.domain >= $2
    order by a.domain
    limit 1
  )
  union all
  select (select a.domain from accounts a where a.domain is not null and a.domain > known.domain order by a.domain limit 1)
  from known
  where starts_with(known.domain, $2)
), part as (
  select known.domain from known where starts_with(known.domain, $2) limit $3::integer
)
select
  part.domain,
  (select count(*) from (select from accounts a where a.domain = part.domain limit 1000) counted)::integer as accounts,
  rule.id as rule_id, rule.domain as rule_domain, rule.severity,
  exists (select from domain_allows w where w.domain = part.domain) as allowed
from part
left join lateral domain_rule(part.domain) rule on true
order by part.domain
