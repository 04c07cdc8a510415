-- release: forgets that an e-mail was to be sent, after it certainly was not.
-- $1 mailing text
-- $2 recipient bigint
-- rows: none
-- plan: one row by key
delete from email_deliveries d where d.mailing = $1 and d.recipient_id = $2
