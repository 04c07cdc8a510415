-- find: one request of the viewer.
-- $1 viewer bigint
-- $2 request bigint
-- rows: none when it does not exist or is not the viewer's, else one; notifications_count is at
--   most 100
-- plan: no sequential scan
select
  r.id, r.from_account_id, r.last_status_id, least(r.notifications_count, 100)::integer as notifications_count, r.created_at, r.updated_at
from notification_requests r
where r.account_id = $1 and r.id = $2
