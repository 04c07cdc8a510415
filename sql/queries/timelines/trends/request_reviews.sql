-- request_reviews: requests a decision about undecided subjects that score higher than the third of
-- the shown ones and have not been requested yet: hashtags, publishers of links and authors of
-- statuses. A request about an author expires when none of their undecided statuses trends: no page
-- lists it then, and the next status that does asks again.
-- $1 least_score double precision
-- rows: the subjects, by name
-- plan: no sequential scan of statuses; requested authors by accounts_to_review
with tags_at as (
  select r.tag_id, r.score, t.name, t.trendable, coalesce(t.reviewed_at, t.requested_review_at) is not null as input
  from tag_trends r
  join tags t on t.id = r.tag_id
  where r.score >= $1::double precision and t.usable
), links_at as (
  select
    r.score, l.id as publisher_id, coalesce(p.trendable, l.trendable) as trendable,
    coalesce(l.reviewed_at, l.requested_review_at) is not null as input
  from link_trends r
  join preview_cards p on p.id = r.preview_card_id
  join link_publishers l on l.domain = url_host(coalesce(p.page_url, p.url))
  where r.score >= $1
), statuses_at as (
  select
    r.score, a.id as account_id, coalesce(s.trendable, a.trendable) as trendable,
    coalesce(a.reviewed_at, a.requested_review_at) is not null as input
  from status_trends r
  join trendable_statuses(null) s on s.id = r.status_id
  join accounts a on a.id = s.account_id
), asked_tags as (
  update tags t set requested_review_at = now()
  from tags_at
  where t.id = tags_at.tag_id and tags_at.trendable is null and not tags_at.input
    and tags_at.score > coalesce((select k.score from tags_at k where k.trendable order by k.score desc offset 2 limit 1), 0)
  returning '#' || t.display_name as name
), asked_publishers as (
  update link_publishers l set requested_review_at = now()
  from links_at
  where l.id = links_at.publisher_id and links_at.trendable is null and not links_at.input
    and links_at.score > coalesce((select k.score from links_at k where k.trendable order by k.score desc offset 2 limit 1), 0)
  returning l.domain as name
), undecided_authors as (
  -- By the ids of trending statuses, not all statuses of an author.
  select s.account_id
  from status_trends r
  cross join lateral (
    select s.account_id, s.trendable from statuses s where s.id = r.status_id and s.deleted_at is null offset 0
  ) s
  where s.trendable is null
), expired_accounts as (
  update accounts a set requested_review_at = null
  where a.requested_review_at is not null and a.reviewed_at is null
    and not exists (select from undecided_authors u where u.account_id = a.id)
), asked_accounts as (
  update accounts a set requested_review_at = now()
  from statuses_at
  where a.id = statuses_at.account_id and statuses_at.trendable is null and not statuses_at.input
    and statuses_at.score > coalesce((select k.score from statuses_at k where k.trendable order by k.score desc offset 2 limit 1), 0)
  returning '@' || a.username || coalesce('@' || a.domain, '') as name
)
select asked_tags.name from asked_tags
union all
select asked_publishers.name from asked_publishers
union all
select asked_accounts.name from asked_accounts
