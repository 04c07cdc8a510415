-- advance: records that a batch of a mailing has been sent.
-- $1 mailing bigint
-- $2 from bigint
-- $3 reached bigint
-- $4 sent integer
-- $5 finished boolean
-- rows: one, unless another run has recorded it
-- plan: one row by key
update member_mailings m set
  reached_user_id = $3, sent_count = m.sent_count + $4, finished_at = case when $5 then now() end
where m.id = $1 and m.reached_user_id = $2 and m.finished_at is null
returning m.id
