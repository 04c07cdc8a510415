-- wake: lets the activities of a lane be processed (wake_lane).
-- $1 lane integer
-- rows: one
-- plan: one call
select true as woken from (select wake_lane($1)) woken
