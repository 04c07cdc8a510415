-- enqueue_lane: enqueues the job that processes a lane (wake_lane).
-- $1 lane integer
-- rows: one
-- plan: one call
select true as woken from (select wake_lane($1)) woken
