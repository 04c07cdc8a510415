-- add: stores the poll of a status.
-- $1 status bigint
-- $2 options text[]
-- $3 multiple boolean
-- $4 hide_totals boolean
-- $5 expires_in integer
-- $6 expires_at timestamptz
-- rows: one
-- plan: rows are inserted, none are read
insert into polls (status_id, options, tallies, multiple, hide_totals, expires_in_s, expires_at)
values ($1, $2, array_fill(0, array[cardinality($2::text[])]), $3, $4, $5, $6)
returning id
