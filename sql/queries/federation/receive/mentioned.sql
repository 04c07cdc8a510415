-- mentioned: those of the accounts that a status mentions, silently or not.
-- $1 status bigint
-- $2 accounts bigint[]
-- rows: none, or one for each
-- plan: no sequential scan
select m.account_id from mentions m where m.status_id = $1 and m.account_id = any ((select $2::bigint[])::bigint[])
