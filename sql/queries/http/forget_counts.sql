-- forget_counts: removes counters of windows that have ended
-- rows: none
delete from rate_counters where expires_at < now()
