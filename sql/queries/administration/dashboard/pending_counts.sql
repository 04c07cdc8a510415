-- pending_counts: counts the reports, accounts, appeals and trends that await a moderator's
-- decision: what the pages behind the counts list. An author is reviewed by statuses that trend.
-- rows: one
-- plan: partial indexes of pending rows; if authors are requested, all of status_trends, of which
--   there are a thousand at most, with their statuses by id
select
  (select count(*) from reports r where r.action_taken_at is null)::integer as reports,
  (select count(*) from users u where not u.approved and u.confirmed_at is not null)::integer as accounts,
  (select count(*) from appeals p where p.approved_at is null and p.rejected_at is null)::integer as appeals,
  (
    select count(*) from tags t where t.requested_review_at is not null and t.reviewed_at is null and t.trendable is null
  )::integer as tags,
  (
    select count(*)
    from link_publishers l
    where l.requested_review_at is not null and l.reviewed_at is null and l.trendable is null
  )::integer as publishers,
  (
    select count(*)
    from accounts a
    where a.requested_review_at is not null and a.reviewed_at is null and a.trendable is null
      and a.id = any (
        array(
          select s.account_id
          from status_trends r
          cross join lateral (
            select s.account_id, s.trendable from statuses s where s.id = r.status_id and s.deleted_at is null offset 0
          ) s
          where s.trendable is null
        )
      )
  )::integer as authors
