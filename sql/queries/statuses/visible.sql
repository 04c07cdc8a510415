-- visible: a status if the viewer (null: anonymous) may see it.
-- $1 viewer bigint
-- $2 status bigint
-- rows: none or one
-- plan: no sequential scan
select s.id, s.account_id, s.conversation_id, s.visibility, s.reblog_of_id, not s.local as is_remote
from visible_statuses($1) s
where s.id = $2
