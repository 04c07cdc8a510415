-- enqueue: adds a job, which runs after this transaction has committed. A job that waits under the same key is replaced.
-- $1 name text
-- $2 payload jsonb
-- $3 attempts integer
-- $4 priority integer
-- $5 at timestamptz
-- $6 key text
-- rows: one
-- plan: one call
select enqueue($1::text, $2::jsonb::json, $3::integer, $4::integer, $5::timestamptz, $6::text) as id
