-- sever: ends a part of the follows and requests between these accounts, which a rule has
-- suspended, and local accounts, and with them memberships of lists. Counts each local account's
-- losses, and keeps who they were.
-- $1 rule bigint
-- $2 ids bigint[]
-- $3 limit integer: of follows in each direction, and of requests
-- rows: one; how many ended, 0 when none are left
-- plan: no sequential scan of accounts
with rule as materialized (
  select b.domain, b.created_at from domain_blocks b where b.id = $1 and b.severity = 'suspend'
), part as materialized (
  (select f.id from rule cross join follows f where f.account_id = any ((select $2::bigint[])::bigint[]) limit $3::integer)
  union
  (select f.id from rule cross join follows f where f.target_account_id = any ((select $2::bigint[])::bigint[]) limit $3)
), requests as materialized (
  (select r.id from rule cross join follow_requests r where r.account_id = any ((select $2::bigint[])::bigint[]) limit $3)
  union
  (select r.id from rule cross join follow_requests r where r.target_account_id = any ((select $2::bigint[])::bigint[]) limit $3)
), unlisted as materialized (
  select distinct l.id, l.account_id
  from (
    select m.list_id from list_accounts m where m.follow_id in (select part.id from part)
    union all
    select m.list_id from list_accounts m where m.follow_request_id in (select requests.id from requests)
  ) member
  join lists l on l.id = member.list_id
), ended as (
  delete from follows f using part
  where f.id = part.id
  returning f.account_id, f.target_account_id, f.show_reblogs, f.notify, f.languages
), revoked as (
  delete from follow_requests r using requests where r.id = requests.id returning r.account_id, r.target_account_id
), severed as materialized (
  select a.id as account_id, sum(one.followers)::integer as followers, sum(one.following)::integer as following
  from (
    select ended.target_account_id as id, 1 as followers, 0 as following from ended
    union all
    select ended.account_id, 0, 1 from ended
  ) one
  join accounts a on a.id = one.id and a.domain is null
  group by a.id
), added as (
  update severances s
  set followers_count = s.followers_count + severed.followers, following_count = s.following_count + severed.following
  from severed, rule
  where s.type = 'domain_block' and s.target_name = rule.domain and s.created_at = rule.created_at and s.account_id = severed.account_id
  returning s.id, s.account_id
), created as (
  insert into severances (id, account_id, type, target_name, followers_count, following_count, created_at)
  select snowflake(), severed.account_id, 'domain_block', rule.domain, severed.followers, severed.following, rule.created_at
  from severed, rule
  where severed.account_id not in (select added.account_id from added)
  returning severances.id, severances.account_id
), kept as (
  insert into severed_follows (severance_id, following, handle, show_reblogs, notify, languages)
  select s.id, s.account_id = ended.account_id, handle_of(other), ended.show_reblogs, ended.notify, ended.languages
  from (select added.id, added.account_id from added union all select created.id, created.account_id from created) s
  join ended on s.account_id in (ended.account_id, ended.target_account_id)
  join accounts other on other.id = case s.account_id when ended.account_id then ended.target_account_id else ended.account_id end
), logged as (
  insert into events (kind, actor_id, account_id, object_id, data)
  select 'relationship.changed', ended.account_id, ended.target_account_id, null::bigint, '{"change": "unfollow"}'::jsonb from ended
  union all
  select 'relationship.changed', revoked.account_id, revoked.target_account_id, null, '{"change": "unrequest"}' from revoked
  union all
  select 'list.changed', null, unlisted.account_id, unlisted.id, '{"change": "members"}' from unlisted
  returning event_json(events) as event
)
select
  ((select count(*) from ended) + (select count(*) from revoked))::integer as ended,
  (select jsonb_agg(logged.event) from logged) as events
