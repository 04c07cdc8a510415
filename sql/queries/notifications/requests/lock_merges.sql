-- lock_merges: of merges of one person that end at the same time the second waits here, and so sees that it is the last.
-- $1 viewer bigint
-- rows: one a sender whose notifications are being brought back
-- plan: no sequential scan
select m.from_account_id as sender from notification_merges m where m.account_id = $1 order by m.from_account_id for update
