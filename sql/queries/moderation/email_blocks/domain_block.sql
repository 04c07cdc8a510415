-- domain_block: a blocked e-mail domain, with the attempts to sign up on each of the last seven
-- days (UTC).
-- $1 id bigint
-- rows: one, or none when there is no such block; history: [{day: seconds of its midnight, uses,
--   accounts: distinct IP addresses}], days without attempts are missing
-- plan: no sequential scan
select
  b.id, b.domain, b.created_at, b.allow_with_approval,
  coalesce(
    (
      select jsonb_agg(jsonb_build_object('day', extract(epoch from midnight(used.day))::bigint, 'uses', used.uses, 'accounts', used.addresses))
      from (
        select t.day, sum(t.uses) as uses, count(*) as addresses
        from email_domain_block_attempts t
        where t.block_id = b.id and t.day > (now() at time zone 'UTC')::date - 7
        group by t.day
      ) used
    ),
    '[]'
  ) as history
from email_domain_blocks b
where b.id = $1
