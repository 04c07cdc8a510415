-- count_sent: counts one more e-mail of a mailing, which was refused for the moment before.
-- $1 mailing bigint
-- rows: none
-- plan: one row by key
update member_mailings m set sent_count = m.sent_count + 1 where m.id = $1
