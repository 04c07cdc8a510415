-- progress: how far the e-mails about terms or an announcement are.
-- $1 terms bigint
-- $2 announcement bigint
-- rows: one when they have begun
-- plan: one row by key
select m.created_at, m.sent_count, m.finished_at
from member_mailings m
where m.terms_id = $1::bigint or m.announcement_id = $2::bigint
