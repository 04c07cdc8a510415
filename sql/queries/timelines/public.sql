-- public: the newest statuses of a part of the public timeline: no boosts, no replies to others.
-- Each part is read by its own index as far as one page, so the cost depends neither on the number
-- of statuses nor on the other part.
-- $1 local boolean
-- $2 remote boolean
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 limit integer
-- rows: newest first; visible to anybody
-- plan: no sequential scan, at most 400 buffers
(
  select s.id, s.account_id, a.domain
  from listed_statuses(null) s
  join accounts a on a.id = s.account_id
  where $1 and s.local
    and (s.in_reply_to_id is null or s.in_reply_to_account_id = s.account_id)
    and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and not s.parent_unknown
    and s.id < $3 and s.id > $4
  order by s.id desc
  limit $5::integer
)
union all
(
  select s.id, s.account_id, a.domain
  from listed_statuses(null) s
  join accounts a on a.id = s.account_id
  where $2 and not s.local
    and (s.in_reply_to_id is null or s.in_reply_to_account_id = s.account_id)
    and (s.in_reply_to_account_id is null or s.in_reply_to_account_id = s.account_id)
    and not s.parent_unknown
    and s.id < $3 and s.id > $4
  order by s.id desc
  limit $5
)
order by id desc
limit $5
