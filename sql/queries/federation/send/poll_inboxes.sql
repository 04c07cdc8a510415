-- poll_inboxes: the inboxes for the tallies of a local poll: those for its status and, if that is
-- public or unlisted, those of its voters. The result reaches the followers of those who boosted
-- it, too; there may be too many of these for each count before.
-- $1 status bigint
-- rows: one an inbox
-- plan: no sequential scan
select inbox.inbox from status_inboxes($1) inbox (inbox)
union
select inbox.inbox
from polls p
cross join lateral booster_inboxes(p.status_id) inbox (inbox)
where p.status_id = $1 and p.expires_at <= now()
union
select i.inbox
from statuses s
join polls p on p.status_id = s.id
join poll_votes v on v.poll_id = p.id
join reachable_inboxes() i on i.account_id = v.account_id
where s.id = $1 and s.visibility in ('public', 'unlisted')
  and not exists (select from blocks b where b.account_id = s.account_id and b.target_account_id = i.account_id)
  and not exists (select from account_domain_blocks d where d.account_id = s.account_id and d.domain = i.domain)
