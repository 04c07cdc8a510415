-- losses: what is deleted with the accounts of domains and, optionally, of their subdomains.
-- $1 domains text[]
-- $2 below boolean
-- rows: one for each domain that has accounts; follows: of remote accounts by local ones;
--   followers: of local accounts
-- plan: the accounts by index, their statuses and follows by index: rare, before domains are
--   suspended or purged
with known as materialized (
  select asked.domain, a.id
  from (select unnest((select $1::text[])) as domain) asked
  cross join lateral (
    select a.id from accounts a where a.domain is not null and reverse(a.domain) = reverse(asked.domain)
    union all
    select a.id
    from accounts a
    where $2::boolean and a.domain is not null
      and reverse(a.domain) ~>=~ reverse('.' || asked.domain) and reverse(a.domain) ~<~ reverse('/' || asked.domain)
  ) a
), severed as materialized (
  select known.domain, f.account_id as member, true as outgoing
  from known join follows f on f.target_account_id = known.id join accounts own on own.id = f.account_id
  where own.domain is null
  union all
  select known.domain, f.target_account_id, false
  from known join follows f on f.account_id = known.id join accounts own on own.id = f.target_account_id
  where own.domain is null
), lost as (
  select
    severed.domain,
    count(*) filter (where severed.outgoing) as follows,
    count(*) filter (where not severed.outgoing) as followers,
    count(distinct severed.member) as members
  from severed
  group by severed.domain
)
select
  k.domain, k.accounts::integer as accounts,
  coalesce(lost.follows, 0)::integer as follows,
  coalesce(lost.followers, 0)::integer as followers,
  coalesce(lost.members, 0)::integer as members,
  least(k.statuses, 2147483647)::integer as statuses
from (
  select known.domain, count(*) as accounts, coalesce(sum(s.statuses_count), 0) as statuses
  from known left join account_stats s on s.account_id = known.id
  group by known.domain
) k
left join lost on lost.domain = k.domain
