-- reserve_ids: takes a contiguous block of ids from a table's sequence. A running server may take
-- ids between the two calls: the block begins a thousand after the first.
-- $1 table_name text
-- $2 amount bigint
-- rows: one; first: the first id
-- plan: two calls
select
  setval(pg_get_serial_sequence($1, 'id'), nextval(pg_get_serial_sequence($1, 'id')) + 1000 + $2::bigint - 1) - $2 + 1 as first
