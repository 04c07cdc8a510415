-- votes: what the viewer chose in these polls, by place from 0.
-- $1 viewer bigint
-- $2 polls bigint[]
-- rows: one a poll in which the viewer voted
-- plan: no sequential scan
select v.poll_id, array_agg(v.choice order by v.choice) as choices
from poll_votes v
where v.poll_id = any ($2::bigint[]) and v.account_id = $1
group by v.poll_id
