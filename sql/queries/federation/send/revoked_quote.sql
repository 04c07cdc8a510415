-- revoked_quote: a quote whose authorization a local account has revoked.
-- $1 quote bigint
-- rows: none or one
-- plan: no sequential scan
select q.quoted_account_id as account_id, federated_status(q.status_id) as quoting, federated_status(q.quoted_status_id) as quoted
from quotes q
where q.id = $1 and q.state = 'revoked' and q.quoted_status_id is not null
