-- begin_receiving: marks the transaction as storing a remote activity, so that triggers send
-- nothing of it.
-- rows: one
-- plan: no tables are read
select set_config('millrace.receiving', 'on', true) as receiving
