-- notified_by_mention: the mentioned accounts that a notification of the mention would reach.
-- $1 author bigint
-- $2 status bigint
-- $3 mentioned bigint[]
-- rows: one for each such account
-- plan: no sequential scan
select given.account_id
from unnest((select $3::bigint[])) given (account_id)
where notification_verdict(given.account_id, $1, 'mention', $2) = 'accept'
