-- strikes: the strikes of an account, newest first.
-- $1 account bigint
-- rows: at most 100
-- plan: no sequential scan
select w.id, w.action, w.created_at, w.overruled_at is not null as overruled
from account_warnings w
where w.target_account_id = $1
order by w.id desc
limit 100
