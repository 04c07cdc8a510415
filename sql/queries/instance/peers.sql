-- peers: the domains that remote accounts are known of; with a prefix those that begin with it
-- $1 prefix text
-- $2 most integer
-- rows: one a domain
select a.domain
from accounts a
where a.domain is not null and starts_with(a.domain, lower($1))
group by a.domain
order by count(*) desc, a.domain
limit $2::integer
