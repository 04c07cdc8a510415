-- of_status: accepted quotes of a status, newest first, without those by accounts that the viewer
-- mutes or with a block either way. The author of the quoted status sees every visible quote;
-- others only those of listed statuses. Visibility is a column, because pages are cut before it is
-- applied.
-- $1 viewer bigint
-- $2 status bigint
-- $3 max_id bigint
-- $4 since_id bigint
-- $5 limit integer
-- rows: one a quote; id is the quote's
-- plan: no sequential scan
select
  q.id,
  q.status_id,
  case
    when q.quoted_account_id is not distinct from $1
      then exists (select from visible_statuses($1) s where s.id = q.status_id)
    else exists (select from shown_statuses($1) s where s.id = q.status_id)
  end as shown
from quotes q
join unhidden_accounts($1::bigint) a on a.id = q.account_id
where q.quoted_status_id = $2 and q.state = 'accepted'
  and ($3::bigint is null or q.id < $3) and ($4::bigint is null or q.id > $4)
order by q.id desc
limit $5::integer
