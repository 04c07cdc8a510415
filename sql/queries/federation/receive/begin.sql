-- begin: another server did what the transaction changes, so nothing of it is sent.
-- rows: one
-- plan: no tables are read
select set_config('millrace.receiving', 'on', true) as receiving
