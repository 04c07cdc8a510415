-- enqueue: enqueues the delivery of an activity to inboxes.
-- $1 sender bigint
-- $2 object text
-- $3 body text
-- $4 inboxes text[]
-- rows: one
-- plan: one call
select true as sent from (select send_activity($1::bigint, $2::text, $3::text, $4::text[])) sent
