-- requested_quote: the quote that a local account has requested, by its id or its status.
-- $1 quote bigint
-- $2 status bigint
-- $3 account bigint
-- $4 author bigint
-- rows: none or one
-- plan: no sequential scan
select q.id from quotes q where (q.id = $1 or q.status_id = $2) and q.account_id = $3 and q.quoted_account_id = $4
