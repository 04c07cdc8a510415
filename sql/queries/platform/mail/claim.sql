-- claim: records that an e-mail of a mailing is being sent to a recipient.
-- $1 mailing text
-- $2 recipient bigint
-- rows: one; none when it was sent or is being sent already
-- plan: a row is inserted, none are read
insert into email_deliveries (mailing, recipient_id) values ($1, $2)
on conflict do nothing
returning email_deliveries.recipient_id
