-- mark_sent: records that the deletions of accounts were enqueued for delivery.
-- $1 accounts bigint[]
-- rows: none
-- plan: keys by account
update signing_keys k set deletion_sent_at = now() where k.account_id = any ((select $1::bigint[])::bigint[])
