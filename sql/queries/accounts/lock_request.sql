-- lock_request: locks the viewer's request from an account, so that the next statement sees the
-- lists that the requester has put the viewer on meanwhile: adding one holds the request until its
-- commit (foreign key).
-- $1 viewer bigint
-- $2 requester bigint
-- rows: none when there is no request, else one
-- plan: no sequential scan
select r.id from follow_requests r where r.account_id = $2 and r.target_account_id = $1 for update
