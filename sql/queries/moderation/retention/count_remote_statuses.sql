-- count_remote_statuses: the number of remote statuses that are older than a time.
-- $1 before timestamptz
-- rows: one
-- plan: a sequential scan of statuses: rare, when old ones are removed by hand
select count(*)::integer as number from statuses s where not s.local and s.created_at < $1
