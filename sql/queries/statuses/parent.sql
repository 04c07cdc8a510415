-- parent: the status that is answered, of a boost the boosted one, if its author may see both.
-- $1 author bigint
-- $2 status bigint
-- rows: at most one
-- plan: no sequential scan
select p.id, p.account_id, p.in_reply_to_account_id, p.conversation_id
from visible_statuses($1) s
join visible_statuses($1) p on p.id = coalesce(s.reblog_of_id, s.id)
where s.id = $2
