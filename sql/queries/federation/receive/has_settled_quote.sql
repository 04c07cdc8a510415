-- has_settled_quote: whether a status has a quote on which its quoted author has decided.
-- $1 status bigint
-- rows: one
-- plan: no sequential scan
select exists (select from quotes q where q.status_id = $1 and q.state <> 'pending') as settled
