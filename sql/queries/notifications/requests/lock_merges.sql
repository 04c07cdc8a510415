-- lock_merges: serialises merges of one person that end at the same time, so that the last one
-- knows that it is the last.
-- $1 viewer bigint
-- rows: one for each sender whose notifications are being restored
-- plan: no sequential scan
select m.from_account_id as sender from notification_merges m where m.account_id = $1 order by m.from_account_id for update
