-- losses: what is deleted with the accounts of a domain and, optionally, of its subdomains.
-- $1 domain text
-- $2 below boolean
-- rows: one; follows: of remote accounts by local ones; followers: of local accounts
-- plan: the accounts by index, their statuses and follows by index: rare, before a domain is
--   suspended or purged
with known as materialized (
  select a.id
  from accounts a
  where a.domain is not null
    and (
      reverse(a.domain) = reverse($1)
      or ($2::boolean and reverse(a.domain) ~>=~ reverse('.' || $1) and reverse(a.domain) ~<~ reverse('/' || $1))
    )
), severed as materialized (
  select f.id, f.account_id as member, true as outgoing
  from known join follows f on f.target_account_id = known.id join accounts own on own.id = f.account_id
  where own.domain is null
  union all
  select f.id, f.target_account_id, false
  from known join follows f on f.account_id = known.id join accounts own on own.id = f.target_account_id
  where own.domain is null
)
select
  (select count(*) from known)::integer as accounts,
  (select count(*) from severed where severed.outgoing)::integer as follows,
  (select count(*) from severed where not severed.outgoing)::integer as followers,
  (select count(distinct severed.member) from severed)::integer as members,
  (
    select least(coalesce(sum(s.statuses_count), 0), 2147483647) from known join account_stats s on s.account_id = known.id
  )::integer as statuses
