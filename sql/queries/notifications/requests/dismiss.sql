-- dismiss: requests of the viewer end; what was held back of their senders until now is yet to be removed.
-- $1 viewer bigint
-- $2 requests bigint[]
-- rows: one a request that was the viewer's; its sender and the last notification of the viewer
-- plan: no sequential scan
with dismissed as (
  delete from notification_requests r where r.account_id = $1 and r.id = any ($2::bigint[])
  returning r.from_account_id
)
select
  dismissed.from_account_id as sender,
  coalesce((select max(n.id) from notifications n where n.account_id = $1), 0) as up_to
from dismissed
order by dismissed.from_account_id
