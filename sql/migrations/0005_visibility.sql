-- The one place that decides who may see a status. Set-returning SQL functions in `from` are inlined by the planner, so that
-- `from visible_statuses($1) s where s.id = any ($2)` costs what the same conditions written out would cost.

-- Statuses that the viewer (null: anybody) may see at all: api/entities/Status.json, api/delivery.md section 1, api/moderation.md.
-- Hidden: deleted ones; authors who are suspended, unconfirmed, unapproved or going; authors who block the viewer;
-- private ones from those who neither follow nor are mentioned; direct ones from those who are not mentioned.
create function visible_statuses(viewer bigint) returns setof statuses
language sql stable rows 1000 as $$
  select s.*
  from statuses s
  join accounts a on a.id = s.account_id
  where s.deleted_at is null
    and a.suspended_at is null
    and not a.pending
    and a.deletion_requested_at is null
    and (
      s.account_id = viewer
      or not exists (select from blocks b where b.account_id = s.account_id and b.target_account_id = viewer)
    )
    and (
      s.visibility in ('public', 'unlisted')
      or s.account_id = viewer
      or exists (select from mentions m where m.status_id = s.id and m.account_id = viewer)
      or (
        s.visibility = 'private'
        and exists (select from follows f where f.account_id = viewer and f.target_account_id = s.account_id)
      )
    )
$$;

-- Accounts whose posts the viewer does not want in lists that the viewer did not ask for by name: blocked, muted, of a blocked domain;
-- and those who block the viewer. Of an anonymous viewer: none.
create function unwanted_by(viewer bigint, other accounts) returns boolean
language sql stable as $$
  select viewer is not null and other.id <> viewer and (
    exists (select from blocks b where b.account_id = viewer and b.target_account_id = other.id)
    or exists (select from blocks b where b.account_id = other.id and b.target_account_id = viewer)
    or exists (
      select from mutes m
      where m.account_id = viewer and m.target_account_id = other.id and (m.expires_at is null or m.expires_at > now())
    )
    or (
      other.domain is not null
      and exists (select from account_domain_blocks d where d.account_id = viewer and d.domain = other.domain)
    )
  )
$$;
