-- pending_counts: counts the reports, accounts, appeals and trends that await a moderator's
-- decision.
-- rows: one
-- plan: partial indexes of pending rows
select
  (select count(*) from reports r where r.action_taken_at is null)::integer as reports,
  (select count(*) from users u where not u.approved and u.confirmed_at is not null)::integer as accounts,
  (select count(*) from appeals p where p.approved_at is null and p.rejected_at is null)::integer as appeals,
  (select count(*) from tags t where t.requested_review_at is not null and t.reviewed_at is null)::integer as tags,
  (select count(*) from link_publishers l where l.requested_review_at is not null and l.reviewed_at is null)::integer as publishers,
  (select count(*) from accounts a where a.requested_review_at is not null and a.reviewed_at is null)::integer as authors
