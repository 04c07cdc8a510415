-- Statuses of public timelines: public, no boosts, of authors who are not limited, without those of
-- accounts and domains that the viewer (null: anybody) blocks or mutes. Includes replies. Blocks
-- and mutes are checked as in shown_statuses, for the same reason.
create or replace function listed_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from visible_statuses(viewer) s
  join accounts a on a.id = s.account_id
  where s.visibility = 'public'
    and s.reblog_of_id is null
    and a.silenced_at is null
    and not exists (select from blocks b where b.account_id = viewer and b.target_account_id = s.account_id)
    and not exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = s.account_id and (m.expires_at is null or m.expires_at > now())
    )
    and not exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = a.domain)
$$;
