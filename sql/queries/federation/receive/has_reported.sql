-- has_reported: whether a remote account has reported an account under this URI.
-- $1 reporter bigint
-- $2 target bigint
-- $3 uri text
-- rows: one
-- plan: no sequential scan of reports
select exists (
  select from reports r where r.target_account_id = $2 and r.account_id = $1 and r.uri = $3
) as reported
