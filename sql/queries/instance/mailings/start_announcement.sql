-- start_announcement: begins the e-mails to all members about a published announcement, once, and
-- records it in the audit log.
-- $1 moderator bigint
-- $2 announcement bigint
-- rows: one when they begin; none unless the announcement is published and has not been sent
-- plan: one row by key
with notified as (
  update announcements a set notified_at = now(), updated_at = now()
  where a.id = $2 and a.published and a.notified_at is null
  returning a.id, left(a.text, 100) as name
), recorded as materialized (
  select log_action($1::bigint, 'notify', 'Announcement', notified.id, notified.name) from notified
)
insert into member_mailings (announcement_id) select notified.id from notified, recorded
returning member_mailings.id
