-- find: the subject of a mailing and the member that it has reached.
-- $1 mailing bigint
-- rows: none when its subject was deleted, else one
-- plan: one row by key
select m.terms_id, m.announcement_id, m.reached_user_id, m.created_at, m.finished_at from member_mailings m where m.id = $1
