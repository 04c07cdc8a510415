-- merging: whether notifications of accepted senders are still being restored.
-- $1 viewer bigint
-- rows: one
-- plan: no sequential scan
select exists (select from notification_merges m where m.account_id = $1) as merging
