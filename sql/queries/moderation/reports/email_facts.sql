-- email_facts: the contents of the e-mail to staff about an open report.
-- $1 user bigint
-- $2 report bigint
-- rows: none when no e-mail is to be sent, else one
-- plan: no sequential scan
select
  u.email, own.username, u.locale, handle_of(reporter) as reporter, handle_of(target) as target, r.category, r.comment,
  cardinality(r.status_ids) as statuses
from users u
join accounts own on own.id = u.account_id
join reports r on r.id = $2 and r.action_taken_at is null
join accounts reporter on reporter.id = r.account_id
join accounts target on target.id = r.target_account_id
where u.id = $1 and u.confirmed_at is not null and not u.disabled
