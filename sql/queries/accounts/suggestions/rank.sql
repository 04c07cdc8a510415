-- rank: stores the most followed accounts, and those with the most recent interactions (boosts,
-- favourites), by the language that they write in. Omits accounts that may not be suggested to
-- anybody.
-- $1 days integer
-- $2 threshold integer
-- $3 limit integer
-- rows: one; ranked: how many accounts were found, at most $3 for each source and language
-- plan: sequential scans of accounts and account_stats, once a day; statuses by index
with eligible as (
  select s.account_id, s.followers_count
  from account_stats s
  join suggestable_accounts(null) a on a.id = s.account_id
), followed as (
  select e.account_id, e.followers_count::integer as score, written.language
  from (
    select eligible.account_id, eligible.followers_count
    from eligible
    where eligible.followers_count >= $2::integer
    order by eligible.followers_count desc
    limit 20 * $3::integer
  ) e
  cross join lateral (
    select mode() within group (order by latest.language) as language
    from (
      select s.language from statuses s
      where s.account_id = e.account_id and s.deleted_at is null and s.visibility = 'public' and s.reblog_of_id is null
      order by s.id desc
      limit 20
    ) latest
  ) written
  where written.language is not null
), favourited as (
  select s.account_id, s.language, sum(used.uses)::integer as score
  from (
    select f.status_id, count(*) as uses
    from favourites f
    where f.status_id >= first_snowflake(now() - make_interval(days => $1::integer))
    group by f.status_id
    union all
    select b.reblog_of_id, count(*)
    from statuses b
    where b.reblog_of_id >= first_snowflake(now() - make_interval(days => $1::integer)) and b.deleted_at is null
    group by b.reblog_of_id
  ) used
  join listed_statuses(null) s on s.id = used.status_id
  join eligible on eligible.account_id = s.account_id
  where s.language is not null
  group by s.account_id, s.language
  having sum(used.uses) >= $2
), ranked as (
  select
    either.source, either.language, either.account_id, either.score,
    row_number() over (partition by either.source, either.language order by either.score desc, either.account_id) as place
  from (
    select 'most_followed' as source, followed.language, followed.account_id, followed.score from followed
    union all
    select 'most_interactions', favourited.language, favourited.account_id, favourited.score from favourited
  ) either
), best as (
  select ranked.source, ranked.language, ranked.account_id, ranked.score from ranked where ranked.place <= $3
), removed as (
  delete from popular_accounts p
  where not exists (
    select from best where best.source = p.source and best.language = p.language and best.account_id = p.account_id
  )
), stored as (
  insert into popular_accounts (source, language, account_id, score)
  select best.source, best.language, best.account_id, best.score from best
  on conflict (source, language, account_id) do update set score = excluded.score
), logged as (
  insert into events (kind) values ('suggestions.ranked') returning event_json(events) as event
)
select count(*)::integer as ranked, (select jsonb_agg(logged.event) from logged) as events from best
