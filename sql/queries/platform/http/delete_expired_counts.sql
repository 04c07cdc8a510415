-- delete_expired_counts: removes counters of windows that have ended.
-- rows: none
-- plan: no sequential scan
delete from rate_counters where expires_at < now()
