-- enqueue_lane: enqueues the job that processes a lane (enqueue_lane).
-- $1 lane integer
-- rows: one
-- plan: one call
select true as enqueued from (select enqueue_lane($1)) enqueued
