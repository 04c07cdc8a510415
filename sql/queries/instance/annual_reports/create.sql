-- create: creates an account's report of a year from its statuses and follows, which are selected
-- by ids and times, and notifies the account. Has no effect when the report exists. Original posts
-- are those that answer nobody, or the account itself.
-- $1 account bigint
-- $2 year integer
-- $3 first bigint
-- $4 end bigint
-- $5 share_key text
-- rows: one
-- plan: no sequential scan of statuses, follows
with mine as materialized (
  select
    s.id, s.visibility, s.reblog_of_id is not null as is_boost,
    s.reblog_of_id is null and s.in_reply_to_account_id is not null and s.in_reply_to_account_id <> $1 as is_reply
  from statuses s
  where s.account_id = $1 and s.id >= $3 and s.id < $4 and s.deleted_at is null
), amounts as (
  select
    count(*)::integer as statuses,
    count(*) filter (where m.is_boost) as boosts,
    count(*) filter (where m.is_reply) as replies,
    count(*) filter (where not m.is_boost and not m.is_reply) as own,
    count(*) filter (where p.id is not null) as polls
  from mine m
  left join polls p on p.status_id = m.id
), most_boosted as (
  select m.id
  from mine m
  join status_stats c on c.status_id = m.id
  where not m.is_boost and m.visibility in ('public', 'unlisted') and c.reblogs_count > 0
  order by c.reblogs_count desc, m.id desc
  limit 1
), most_used as (
  select t.display_name as name, count(*)::integer as count
  from mine m
  join status_tags x on x.status_id = m.id
  join tags t on t.id = x.tag_id
  group by t.id
  having count(*) > 1
  order by count(*) desc, t.name
  limit 1
), gained as (
  select count(*)::integer as followers
  from follows f
  where f.target_account_id = $1
    and f.created_at >= make_timestamptz($2, 1, 1, 0, 0, 0, 'UTC') and f.created_at < make_timestamptz($2 + 1, 1, 1, 0, 0, 0, 'UTC')
), created as materialized (
  insert into annual_reports (account_id, year, data, schema_version, share_key)
  select $1, $2, jsonb_build_object(
    'archetype', case
      when a.statuses < 113 then 'lurker'
      when a.boosts > a.own * 2 then 'booster'
      when a.polls > a.own * 0.1 then 'pollster'
      when a.replies > a.own * 2 then 'replier'
      else 'oracle'
    end,
    'top_statuses', jsonb_build_object(
      'by_reblogs', (select most_boosted.id::text from most_boosted), 'by_favourites', null, 'by_replies', null
    ),
    'time_series', jsonb_build_array(jsonb_build_object('month', 12, 'statuses', a.statuses, 'followers', gained.followers)),
    'top_hashtags', coalesce((select jsonb_agg(to_jsonb(most_used)) from most_used), '[]')
  ), 2, $5
  from amounts a cross join gained
  on conflict (account_id, year) do nothing
  returning annual_reports.id
), notified as materialized (
  select notify($1, $1, 'annual_report', null, created.id) as event from created
)
select (select jsonb_agg(notified.event) from notified where notified.event is not null) as events
