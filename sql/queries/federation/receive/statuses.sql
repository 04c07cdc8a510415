-- statuses: stores statuses of other servers with their effects (receive_statuses).
-- $1 given jsonb
-- rows: one for each stored row, with its place in the input (from 1); not for those
--   whose URI exists or was deleted
-- plan: that of a function; each of its steps uses an index
select s.place, s.id, s.poll_id, s.events from receive_statuses($1) s
