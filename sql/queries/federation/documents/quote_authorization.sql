-- quote_authorization: an accepted quote of a local account's status.
-- $1 account bigint
-- $2 quote bigint
-- rows: none or one
-- plan: no sequential scan
select federated_status(q.status_id) as quoting, federated_status(q.quoted_status_id) as quoted
from quotes q
join accounts a on a.id = q.quoted_account_id
where q.id = $2 and q.quoted_account_id = $1 and q.state = 'accepted' and q.quoted_status_id is not null
