-- record_success: resets the number of failures; writes nothing when it is zero.
-- $1 id bigint
-- rows: none
-- plan: no sequential scan
update webhooks w set failures = 0, last_error = null, last_failed_at = null where w.id = $1 and w.failures > 0
