-- quote_by_approval: the quote of a status of this author with this authorization.
-- $1 author bigint
-- $2 approval_uri text
-- rows: none or one
-- plan: no sequential scan
select q.id from quotes q where q.quoted_account_id = $1 and q.approval_uri = $2
