-- emojis_to_purge_by_domain: how many custom emojis a purge deletes, by domain, most first: all,
-- those of other servers, or those of domains that are suspended here.
-- $1 remote_only boolean
-- $2 suspended_only boolean
-- $3 limit integer
-- rows: at most $3; domain: null for this server; total: of all domains; domains: their number
-- plan: all custom emojis once: rare, before they are purged
select e.domain, count(*)::integer as amount, (sum(count(*)) over ())::integer as total, (count(*) over ())::integer as domains
from custom_emojis e
where (not $1::boolean and not $2::boolean or e.domain is not null)
  and (not $2 or (select r.severity from domain_rule(e.domain) r) = 'suspend')
group by e.domain
order by 2 desc, 1 nulls first
limit (select $3::integer)
