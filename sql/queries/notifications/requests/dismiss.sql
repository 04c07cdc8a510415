-- dismiss: ends requests of the viewer; a job then removes the filtered notifications of their
-- senders up to now.
-- $1 viewer bigint
-- $2 requests bigint[]
-- rows: one for each request of the viewer; its sender and the last notification of the viewer
-- plan: no sequential scan
with dismissed as (
  delete from notification_requests r where r.account_id = $1 and r.id = any ((select $2::bigint[])::bigint[])
  returning r.from_account_id
)
select
  dismissed.from_account_id as sender,
  coalesce((select max(n.id) from notifications n where n.account_id = $1), 0) as up_to
from dismissed
order by dismissed.from_account_id
