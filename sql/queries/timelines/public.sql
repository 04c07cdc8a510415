-- public: the newest statuses of a part of the public timeline: no boosts, no answers to others.
-- Each part is read by its own index as far as one page, so the cost grows neither with the statuses there are nor with the other part.
-- $1 viewer bigint
-- $2 local boolean
-- $3 remote boolean
-- $4 languages text[]
-- $5 max_id bigint
-- $6 since_id bigint
-- $7 most integer
-- rows: ids, newest first
-- plan: no sequential scan, at most 400 buffers
(
  select s.id
  from listed_statuses($1) s
  where $2 and s.local
    and (s.in_reply_to_id is null or s.in_reply_to_account_id = s.account_id)
    and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and ($4::text[] is null or s.language = any ($4))
    and s.id < $5 and s.id > $6
  order by s.id desc
  limit $7::integer
)
union all
(
  select s.id
  from listed_statuses($1) s
  where $3 and not s.local
    and (s.in_reply_to_id is null or s.in_reply_to_account_id = s.account_id)
    and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and ($4 is null or s.language = any ($4))
    and s.id < $5 and s.id > $6
  order by s.id desc
  limit $7
)
order by id desc
limit $7
