-- find: direct conversations of the viewer.
-- $1 viewer bigint
-- $2 ids bigint[]
-- rows: one for each of these conversations; participants: the others, sorted; empty when the
--   viewer is alone
-- plan: no sequential scan
select c.id, c.participant_account_ids as participants, c.last_status_id, c.unread
from account_conversations c
where c.id = any ((select $2::bigint[])::bigint[]) and c.account_id = $1
