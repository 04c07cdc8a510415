-- publishers: the publishers of links that have trended, those with a requested review first.
-- $1 state text
-- $2 domain text
-- $3 limit integer
-- $4 offset integer
-- rows: at most $3; $1: pending, approved, rejected or all; $2: a part of the name
-- plan: all of a small table
select p.id, p.domain, p.trendable, p.requested_review_at is not null and p.reviewed_at is null as requested
from link_publishers p
where position(lower($2) in p.domain) > 0 and case $1
  when 'pending' then p.trendable is null
  when 'approved' then p.trendable
  when 'rejected' then not p.trendable
  else true
end
order by p.requested_review_at is not null and p.reviewed_at is null desc, p.domain
limit $3::integer offset $4::integer
