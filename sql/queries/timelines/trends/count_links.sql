-- count_links: recounts the daily shares (UTC) of links that were shared or boosted since the
-- latest count, or in the hour before it (previews are created late).
-- $1 days integer
-- $2 whole boolean
-- rows: one; links: how many were counted
-- plan: no sequential scan of statuses
-- As timelines/trends/count_tags: of at most $1 days, and with $2 all of these days and all links.
-- A share is a status, or a boost of a status in that time; statuses with a content warning are not
-- counted.
with latest as (
  select case when $2::boolean then null else (select c.counted_at from trend_counts c where c.what = 'links') end as counted_at
), since as (
  select
    greatest(first_snowflake(latest.counted_at - interval '1 hour'), first_snowflake(oldest.at)) as id,
    first_snowflake(oldest.at) as oldest_id
  from latest
  cross join (select midnight((now() at time zone 'UTC')::date - $1::integer + 1) as at) oldest
), updated as (
  select x.preview_card_id from preview_cards_statuses x where x.status_id >= (select since.id from since)
  union
  select x.preview_card_id
  from statuses b
  join preview_cards_statuses x on x.status_id = b.reblog_of_id
  where b.id >= (select since.id from since) and b.reblog_of_id is not null
  union
  select d.preview_card_id from link_days d where $2 and d.day >= (select snowflake_day(since.id) from since)
), posted as (
  select x.preview_card_id, s.id, s.account_id
  from updated
  join preview_cards_statuses x on x.preview_card_id = updated.preview_card_id
    and x.status_id >= (select since.oldest_id from since)
  join listed_statuses(null) s on s.id = x.status_id
  where s.spoiler_text = '' and not s.sensitive
), shared as (
  select posted.preview_card_id, posted.id, posted.account_id
  from posted
  where posted.id >= (select first_snowflake(midnight(snowflake_day(since.id))) from since)
  union all
  select posted.preview_card_id, b.id, b.account_id
  from posted
  join visible_statuses(null) b on b.reblog_of_id = posted.id
    and b.id >= (select first_snowflake(midnight(snowflake_day(since.id))) from since)
  join accounts a on a.id = b.account_id
  where b.visibility = 'public' and a.silenced_at is null
), counted as (
  select
    shared.preview_card_id, snowflake_day(shared.id) as day, count(*) as uses, count(distinct shared.account_id) as accounts
  from shared
  group by 1, 2
), removed as (
  delete from link_days d using updated
  where d.preview_card_id = updated.preview_card_id and d.day >= (select snowflake_day(since.id) from since)
    and not exists (select from counted where counted.preview_card_id = d.preview_card_id and counted.day = d.day)
), stored as (
  insert into link_days as d (preview_card_id, day, uses, accounts)
  select counted.preview_card_id, counted.day, counted.uses, counted.accounts from counted
  on conflict (preview_card_id, day) do update set uses = excluded.uses, accounts = excluded.accounts
  where (d.uses, d.accounts) is distinct from (excluded.uses, excluded.accounts)
), recorded as (
  insert into trend_counts (what, counted_at) values ('links', now())
  on conflict (what) do update set counted_at = excluded.counted_at
)
select count(*)::integer as links from updated
