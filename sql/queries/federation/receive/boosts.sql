-- boosts: accounts of other servers boost statuses (receive_boosts).
-- $1 given jsonb
-- rows: one for each that is stored, with its place among the given ones (from 1)
-- plan: that of a function; each of its steps uses an index
select b.place, b.id, b.events from receive_boosts($1) b
