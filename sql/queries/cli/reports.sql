-- reports: all reports, newest first, or one of them.
-- $1 report bigint
-- $2 with_resolved boolean
-- rows: one a report
-- plan: not bounded: an operator's command
select
  r.id, r.created_at, r.category, handle_of(target) as target, handle_of(reporter) as reporter, r.comment, r.status_ids, r.rule_ids,
  r.action_taken_at is not null as resolved, handle_of(assigned) as assigned
from reports r
join accounts target on target.id = r.target_account_id
join accounts reporter on reporter.id = r.account_id
left join accounts assigned on assigned.id = r.assigned_account_id
where ($1::bigint is null or r.id = $1) and ($2::boolean or r.action_taken_at is null)
order by r.id desc
