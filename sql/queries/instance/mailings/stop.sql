-- stop: ends a mailing whose subject is no longer published, where it is.
-- $1 mailing bigint
-- rows: none
-- plan: one row by key
update member_mailings m set finished_at = now() where m.id = $1 and m.finished_at is null
