-- featured: those of the accounts chosen by administrators that are new to the viewer: neither followed, asked, blocked, muted nor dismissed.
-- In an order at random that stays the same for 15 minutes.
-- $1 viewer bigint
-- $2 usernames text[]
-- $3 domains text[]
-- $4 limit integer
-- $5 offset integer
-- rows: at most $4; domains of this server are given as ''
-- plan: no sequential scan
select a.id
from unnest($2::text[], $3::text[]) chosen (username, domain)
join accounts a on lower(a.username) = lower(chosen.username) and lower(coalesce(a.domain, '')) = lower(chosen.domain)
where a.id <> $1 and a.discoverable and a.suspended_at is null and a.silenced_at is null and a.moved_to_account_id is null
  and a.deletion_requested_at is null and not a.pending and not a.memorial
  and not exists (select from follows f where f.account_id = $1 and f.target_account_id = a.id)
  and not exists (select from follow_requests r where r.account_id = $1 and r.target_account_id = a.id)
  and not exists (select from suggestion_dismissals d where d.account_id = $1 and d.target_account_id = a.id)
  and not unwanted_by($1, a)
group by a.id
order by hashint8extended(a.id + $1, floor(extract(epoch from now()) / 900)::bigint), a.id
limit $4::integer offset $5::integer
