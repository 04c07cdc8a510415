-- No statement or function calls them: their conditions stand in blocks_notification and
-- wanted_accounts. Locks nothing but the functions.
drop function if exists mutes_notifications(bigint, bigint);
drop function if exists unwanted_by(bigint, accounts);
