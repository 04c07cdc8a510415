-- has_decided_quote: whether a status has a quote that its quoted author has accepted, rejected or
-- revoked.
-- $1 status bigint
-- rows: one
-- plan: no sequential scan
select exists (select from quotes q where q.status_id = $1 and q.state <> 'pending') as decided
