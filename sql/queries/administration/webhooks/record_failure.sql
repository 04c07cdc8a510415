-- record_failure: counts a failed attempt to deliver.
-- $1 id bigint
-- $2 error text
-- rows: none
-- plan: no sequential scan
update webhooks w set failures = w.failures + 1, last_error = $2, last_failed_at = now() where w.id = $1
