-- begin: what the transaction changes was done by another server, which is not told of it.
-- rows: one
-- plan: no tables are read
select set_config('millrace.receiving', 'on', true) as receiving
