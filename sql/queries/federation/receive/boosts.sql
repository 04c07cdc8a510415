-- boosts: stores boosts by accounts of other servers (receive_boosts).
-- $1 given jsonb
-- rows: one for each stored row, with its place in the input (from 1)
-- plan: that of a function; each of its steps uses an index
select b.place, b.id, b.events from receive_boosts($1) b
