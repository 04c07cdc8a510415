-- peers: the domains of remote accounts and allowed domains, with a prefix only those that begin
-- with it. Moderated domains are not published. Domains with the most accounts come first.
-- $1 prefix text
-- $2 limit integer
-- rows: one a domain
-- plan: the index of the domains of all accounts
select known.domain
from (
  select a.domain, count(*) as accounts from accounts a where a.domain is not null group by a.domain
  union all
  select d.domain, 0 from domain_allows d
) known
where starts_with(known.domain, lower($1)) and not exists (select from domain_blocks b where b.domain = known.domain)
group by known.domain
order by max(known.accounts) desc, known.domain
limit $2::integer
