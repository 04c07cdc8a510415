-- sent_status: a local status or boost, even a deleted one.
-- $1 status bigint
-- rows: none or one
-- plan: no sequential scan
select s.account_id, s.created_at, s.edited_at, s.visibility, s.deleted_at is not null as deleted, federated_status(s.reblog_of_id) as boosted
from statuses s
where s.id = $1 and s.local
