-- entities: the data of Admin::Report, except accounts and statuses. Statuses that were deleted for
-- good are missing in status_ids.
-- $1 ids bigint[]
-- rows: one for each report that exists; rules: the violated ones, including deleted ones
-- plan: no sequential scan of reports, statuses
select
  r.id, r.action_taken_at is not null as action_taken, r.action_taken_at, r.category, r.comment, r.forwarded, r.created_at,
  r.updated_at, r.account_id, r.target_account_id, r.assigned_account_id, r.action_taken_by_account_id,
  array(select s.id from statuses s where s.id = any (r.status_ids) order by s.id desc) as status_ids,
  (
    select coalesce(
      jsonb_agg(
        jsonb_build_object('id', o.id::text, 'text', o.text, 'hint', o.hint, 'translations', o.translations) order by o.position, o.id
      ),
      '[]'
    )
    from rules o
    where o.id = any (r.rule_ids)
  ) as rules
from reports r
where r.id = any ((select $1::bigint[])::bigint[])
