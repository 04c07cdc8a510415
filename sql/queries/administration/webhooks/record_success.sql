-- record_success: forgets earlier failures; writes nothing when there are none.
-- $1 id bigint
-- rows: none
-- plan: no sequential scan
update webhooks w set failures = 0, last_error = null, last_failed_at = null where w.id = $1 and w.failures > 0
