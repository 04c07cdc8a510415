-- start_terms: begins the e-mails to all members about published terms of service, once, and
-- records it in the audit log.
-- $1 moderator bigint
-- $2 terms bigint
-- rows: one when they begin; none unless the terms are published and have not been sent
-- plan: one row by key
with notified as (
  update terms_of_service t set notified_at = now(), updated_at = now()
  where t.id = $2 and t.published_at is not null and t.notified_at is null
  returning t.id, coalesce(to_char(t.effective_date, 'YYYY-MM-DD'), '') as name
), recorded as materialized (
  select log_action($1::bigint, 'notify', 'TermsOfService', notified.id, notified.name) from notified
)
insert into member_mailings (terms_id) select notified.id from notified, recorded
returning member_mailings.id
